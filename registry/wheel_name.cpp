#include "registry/wheel_name.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace curupira::registry {

namespace {

constexpr std::size_t max_file_name = 255;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// The number at the beginning of `text`, which loses it; 0 when there is none or it is absurd.
std::uint64_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

/// "cp311" → 311, "py3" → 3.
std::uint64_t python_number(std::string_view tags) {
  std::uint64_t highest = 0;
  for (std::string_view tag : split(tags, '.')) {
    tag.remove_prefix(std::min(tag.find_first_of("0123456789"), tag.size()));
    highest = std::max(highest, take_number(tag));
  }
  return highest;
}

/// "manylinux_2_28_x86_64" → 2028: the newest C library or system that a wheel is made for.
std::uint64_t platform_number(std::string_view tags) {
  std::uint64_t highest = 0;
  for (std::string_view tag : split(tags, '.')) {
    const std::size_t first = tag.find('_');
    if (first == std::string_view::npos) continue;
    tag.remove_prefix(first + 1);
    const std::uint64_t major = take_number(tag);
    if (!tag.starts_with('_')) continue;
    tag.remove_prefix(1);
    highest = std::max(highest, major * 1000 + std::min<std::uint64_t>(take_number(tag), 999));
  }
  return highest;
}

}  // namespace

std::optional<WheelName> WheelName::parse(std::string_view file_name) {
  constexpr std::string_view ending = ".whl";
  if (file_name.size() > max_file_name || !file_name.ends_with(ending)) return std::nullopt;
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._+!").find(c) != std::string_view::npos;
  };
  if (file_name.front() == '.' || file_name.front() == '-' || !std::ranges::all_of(file_name, legal))
    return std::nullopt;
  const auto parts = split(file_name.substr(0, file_name.size() - ending.size()), '-');
  if (parts.size() != 5 && parts.size() != 6) return std::nullopt;  // six with a build number
  if (std::ranges::any_of(parts, [](std::string_view part) { return part.empty(); })) return std::nullopt;
  const std::size_t tags = parts.size() - 3;
  return WheelName{std::string(parts[0]), std::string(parts[1]), std::string(parts[tags]),
                   std::string(parts[tags + 1]), std::string(parts[tags + 2])};
}

WheelName::Preference WheelName::preference() const {
  const bool native = platform != "any";
  int closeness = native ? 1 : 0;
  if (native && python.starts_with("cp")) closeness = 2;
  if (native && abi.starts_with("abi")) closeness = 3;
  if (native && abi.starts_with("cp")) closeness = 4;
  return {closeness, python_number(python), platform_number(platform)};
}

}  // namespace curupira::registry
