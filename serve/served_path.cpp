#include "serve/served_path.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/url.h"

namespace curupira::serve {
namespace {

constexpr std::size_t max_segments = 16;
constexpr std::size_t sha256_digits = 64;
constexpr std::array<std::string_view, 6> served_folders{"metadata", "targets",  "npm",
                                                         "simple",   "archives", "registries"};

bool is_plain(std::string_view segment) {
  return !segment.empty() && segment.front() != '.' && std::ranges::none_of(segment, [](unsigned char c) {
    return c < ' ' || c == 127 || c == '/' || c == '\\';
  });
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

/// The segment or, of "@scope%2fname", both; false when it is none.
bool add_segment(std::vector<std::string>& segments, std::string_view escaped) {
  auto text = percent_decode(escaped);
  if (!text) return false;
  const auto slash = text->find('/');
  if (slash != std::string::npos && segments.size() == 1 && segments.front() == "npm" &&
      text->front() == '@') {
    segments.push_back(text->substr(0, slash));
    *text = text->substr(slash + 1);
    if (!is_plain(segments.back())) return false;
  }
  segments.push_back(*std::move(text));
  return is_plain(segments.back());
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool begins_with_digest(std::string_view name) {
  const auto dot = std::min(name.find('.'), name.size());
  return dot == sha256_digits && std::ranges::all_of(name.substr(0, dot), is_hex);
}

bool begins_with_version(std::string_view name) {
  const auto dot = name.find('.');
  return dot != 0 && dot != std::string_view::npos &&
         std::ranges::all_of(name.substr(0, dot), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::optional<ServedPath> served_path(std::string_view target) {
  target = target.substr(0, target.find('?'));
  if (target.empty() || target.front() != '/') return std::nullopt;
  target.remove_prefix(1);
  if (target.empty() || target == "index.html") return ServedPath{.path = std::string(target)};
  ServedPath found;
  if (target.back() == '/') {
    found.folder = true;
    target.remove_suffix(1);
  }
  std::vector<std::string> segments;
  for (const std::string_view escaped : split(target))
    if (segments.size() > max_segments || !add_segment(segments, escaped)) return std::nullopt;
  if (std::ranges::find(served_folders, segments.front()) == served_folders.end()) return std::nullopt;
  for (const std::string& segment : segments)
    found.path += (found.path.empty() ? "" : "/") + segment;
  return found;
}

std::string url_path(const ServedPath& path) {
  std::string text;
  for (const std::string_view segment : split(path.path))
    text += "/" + percent_encode(segment);
  return text + (path.folder ? "/" : "");
}

bool is_immutable(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return path.starts_with("metadata/") ? begins_with_version(name) : begins_with_digest(name);
}

std::string_view content_type(std::string_view path) {
  const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
  if (ends(".json")) return "application/json";
  if (ends(".gz") || ends(".tgz")) return "application/gzip";
  if (ends(".zip") || ends(".whl")) return "application/zip";
  // A publisher's file must not be a page on the registry's own address.
  if (ends("/index.html") && path.starts_with("simple/")) return "text/html; charset=utf-8";
  return "application/octet-stream";
}

}  // namespace curupira::serve
