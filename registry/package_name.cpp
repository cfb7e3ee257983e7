#include "registry/package_name.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr std::size_t max_part_bytes = 64;
constexpr std::string_view target_folder = "packages/";
constexpr std::string_view target_ending = ".json";

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_part(std::string_view text) {
  return !text.empty() && text.size() <= max_part_bytes && is_letter_or_digit(text.front()) &&
         std::ranges::all_of(
             text, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; });
}

}  // namespace

Result<PackageName> PackageName::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool scoped = text.starts_with('@') && slash != std::string_view::npos;
  const bool good =
      scoped ? is_part(text.substr(1, slash - 1)) && is_part(text.substr(slash + 1)) : is_part(text);
  if (!good) return fail(ErrorCode::package_name, "\"" + excerpt(text, 150) + "\"");
  return PackageName(std::string(text));
}

Result<PackageName> PackageName::of_target(std::string_view path) {
  if (!path.starts_with(target_folder) || !path.ends_with(target_ending) ||
      path.size() < target_folder.size() + target_ending.size())
    return fail(ErrorCode::package_name, "the target \"" + excerpt(path, 150) + "\" is no package");
  path.remove_prefix(target_folder.size());
  path.remove_suffix(target_ending.size());
  return parse(path);
}

std::string PackageName::file_stem() const {
  std::string stem;
  for (const char c : text_)
    if (c != '@') stem += c == '/' ? '-' : c;
  return stem;
}

}  // namespace curupira::registry
