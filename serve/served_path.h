#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace curupira::serve {

/// What a request asks for, below the registry's folder.
struct ServedPath {
  std::string path;  ///< relative, of plain segments, unescaped: "metadata/timestamp.json"; "" is the folder
  bool folder = false;  ///< it was asked for with a '/' at its end
  bool operator==(const ServedPath&) const = default;
};

/// Of a request's target. Nothing when it names something that is not served, whatever it would lead to: only
/// the page and what is below metadata/, targets/, npm/, simple/, files/ and archives/ is; no name that
/// begins with a dot, no "..", no escaped slash or control character. npm writes the slash of "@scope/name"
/// as %2f: below npm/ that one is a slash.
std::optional<ServedPath> served_path(std::string_view target);

/// "/simple/a%20b/": what `served_path` reads back.
std::string url_path(const ServedPath& path);

/// Contents never change under such a name: metadata with a version, names with a digest.
bool is_immutable(std::string_view path);

/// "application/json"; of what could be shown as a page, or is not known, "application/octet-stream".
std::string_view content_type(std::string_view path);

}  // namespace curupira::serve
