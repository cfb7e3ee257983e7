#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace curupira {

/// A path below some folder: no "..", no ".", no empty segment, not absolute, no NUL or backslash, valid
/// UTF-8. Paths of archives, manifests and packages are of this type; file system paths are
/// std::filesystem::path.
class RelativePath {
 public:
  static constexpr std::size_t max_length = 4096;         ///< bytes
  static constexpr std::size_t max_segment_length = 255;  ///< bytes

  /// Accepts leading "./" and one trailing '/'. Error: archive_path with the reason.
  static Result<RelativePath> parse(std::string_view text);

  const std::string& text() const { return text_; }  ///< "a/b/c"
  std::vector<std::string_view> segments() const;
  std::string_view file_name() const;
  std::filesystem::path below(const std::filesystem::path& folder) const { return folder / text_; }

  auto operator<=>(const RelativePath&) const = default;

 private:
  explicit RelativePath(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace curupira
