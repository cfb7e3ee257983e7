#include "manifest/policy_values.h"

#include <charconv>
#include <limits>
#include <utility>

namespace curupira::manifest {
namespace {

/// The number that `text` begins with, and what follows it.
std::optional<std::pair<std::uint64_t, std::string_view>> split_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || number == 0) return std::nullopt;
  return std::pair(number, text.substr(static_cast<std::size_t>(end - text.data())));
}

/// `number` of the unit called `name`; nothing when it is too large or there is no such unit.
template <std::size_t N>
std::optional<std::uint64_t> multiply(std::uint64_t number, std::string_view name,
                                      const std::pair<std::string_view, std::uint64_t> (&units)[N],
                                      std::uint64_t most) {
  for (const auto& [unit, factor] : units) {
    if (unit == name) return number <= most / factor ? std::optional(number * factor) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::chrono::seconds> parse_duration(std::string_view text) {
  constexpr std::uint64_t day = 86'400;
  constexpr std::uint64_t most = 3660 * day;
  constexpr std::pair<std::string_view, std::uint64_t> units[] = {
      {"m", 60}, {"h", 3600}, {"d", day}, {"w", 7 * day}};
  const auto parts = split_number(text);
  const auto seconds = parts ? multiply(parts->first, parts->second, units, most) : std::nullopt;
  if (!seconds) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  constexpr std::pair<std::string_view, std::uint64_t> units[] = {
      {"B", 1},         {"kB", 1000},       {"KB", 1000},       {"MB", 1'000'000}, {"GB", 1'000'000'000},
      {"KiB", 1 << 10}, {"MiB", 1u << 20u}, {"GiB", 1u << 30u},
  };
  const auto parts = split_number(text);
  if (!parts) return std::nullopt;
  std::string_view unit = parts->second;
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  return multiply(parts->first, unit, units, std::numeric_limits<std::int64_t>::max());
}

}  // namespace curupira::manifest
