#include "registry/wheel_name.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <tuple>

#include "registry/reference.h"

namespace curupira::registry {

namespace {

constexpr std::size_t max_file_name = 255;
constexpr std::size_t max_tag_combinations = 4096;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// "1_local" → (1, "_local"): the order of build tags.
std::pair<std::uint64_t, std::string> build_order(const std::string& build) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(build.data(), build.data() + build.size(), number);
  if (error != std::errc()) return {0, build};
  return {number, std::string(end, build.data() + build.size())};
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
  return WheelName{.distribution = std::string(parts[0]),
                   .version = std::string(parts[1]),
                   .build = parts.size() == 6 ? std::string(parts[2]) : std::string(),
                   .python = std::string(parts[tags]),
                   .abi = std::string(parts[tags + 1]),
                   .platform = std::string(parts[tags + 2])};
}

std::optional<std::string> python_file_version(std::string_view file_name, std::string_view package) {
  if (const auto wheel = WheelName::parse(file_name)) {
    if (normalize_pip_name(wheel->distribution) != package) return std::nullopt;
    return wheel->version;
  }
  for (const std::string_view ending : {".tar.gz", ".zip", ".tar.bz2"}) {
    if (!file_name.ends_with(ending)) continue;
    const std::string_view stem = file_name.substr(0, file_name.size() - ending.size());
    for (auto dash = stem.find('-'); dash != std::string_view::npos; dash = stem.find('-', dash + 1))
      if (normalize_pip_name(stem.substr(0, dash)) == package) return std::string(stem.substr(dash + 1));
  }
  return std::nullopt;
}

TagOrder::TagOrder(const std::vector<std::string>& tags) {
  for (const std::string& tag : tags)
    places_.emplace(tag, places_.size());
}

std::optional<std::size_t> TagOrder::rank(const WheelName& name) const {
  const auto pythons = split(name.python, '.');
  const auto abis = split(name.abi, '.');
  const auto platforms = split(name.platform, '.');
  if (pythons.size() * abis.size() * platforms.size() > max_tag_combinations) return std::nullopt;
  std::optional<std::size_t> best;
  for (const std::string_view python : pythons)
    for (const std::string_view abi : abis)
      for (const std::string_view platform : platforms) {
        std::string tag(python);
        tag.append("-").append(abi).append("-").append(platform);
        const auto place = places_.find(tag);
        if (place != places_.end() && (!best || place->second < *best)) best = place->second;
      }
  return best;
}

std::optional<std::size_t> TagOrder::best(const std::vector<std::string>& file_names) const {
  std::optional<std::size_t> best;
  std::size_t best_rank = 0;
  std::pair<std::uint64_t, std::string> best_build;
  for (std::size_t i = 0; i < file_names.size(); ++i) {
    const auto name = WheelName::parse(file_names[i]);
    const auto place = name ? rank(*name) : std::nullopt;
    if (!place) continue;
    auto build = build_order(name->build);
    if (best && (*place > best_rank || (*place == best_rank && build <= best_build))) continue;
    best = i;
    best_rank = *place;
    best_build = std::move(build);
  }
  return best;
}

}  // namespace curupira::registry
