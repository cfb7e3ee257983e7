#include "base/relative_path.h"

#include "base/printable.h"

namespace curupira {
namespace {

tl::unexpected<Error> refuse(std::string_view text, const std::string& reason) {
  return fail(ErrorCode::archive_path, reason + ": \"" + excerpt(text) + "\"");
}

}  // namespace

Result<RelativePath> RelativePath::parse(std::string_view text) {
  std::string_view rest = text;
  if (rest.empty()) return fail(ErrorCode::archive_path, "the path is empty");
  if (rest.size() > max_length) {
    return refuse(text, "the path is longer than " + std::to_string(max_length) + " bytes");
  }
  if (rest.front() == '/') return refuse(text, "the path is absolute");
  if (rest.find('\0') != std::string_view::npos) return refuse(text, "the path contains NUL");
  if (rest.find('\\') != std::string_view::npos) return refuse(text, "the path contains a backslash");
  if (!is_valid_utf8(rest)) return refuse(text, "the path is not valid UTF-8");
  if (rest.starts_with("./")) rest.remove_prefix(2);
  if (rest.ends_with('/')) rest.remove_suffix(1);

  for (std::size_t at = 0; at <= rest.size();) {
    const auto segment = rest.substr(at, rest.find('/', at) - at);
    if (segment.empty()) return refuse(text, "the path has an empty segment");
    if (segment == "..") return refuse(text, "the path contains \"..\"");
    if (segment == ".") return refuse(text, "the path contains \".\"");
    if (segment.size() > max_segment_length) {
      return refuse(text,
                    "a segment of the path is longer than " + std::to_string(max_segment_length) + " bytes");
    }
    at += segment.size() + 1;
  }
  return RelativePath(std::string(rest));
}

std::vector<std::string_view> RelativePath::segments() const {
  std::vector<std::string_view> all;
  const std::string_view text = text_;
  for (std::size_t at = 0; at <= text.size();) {
    all.push_back(text.substr(at, text.find('/', at) - at));
    at += all.back().size() + 1;
  }
  return all;
}

std::string_view RelativePath::file_name() const {
  // npos + 1 is 0: a path of one segment is its own name.
  return std::string_view(text_).substr(text_.rfind('/') + 1);
}

}  // namespace curupira
