#include "serve/byte_range.h"

#include <algorithm>
#include <charconv>

namespace curupira::serve {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  // More than fits is behind every end.
  return error == std::errc{} ? value : ~std::uint64_t{0};
}

}  // namespace

RangeAnswer parse_range(std::string_view field, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  using Kind = RangeAnswer::Kind;
  if (!field.starts_with(unit)) return {};
  field.remove_prefix(unit.size());
  const auto dash = field.find('-');
  if (dash == std::string_view::npos) return {};
  const auto first = number(field.substr(0, dash));
  const auto last = number(field.substr(dash + 1));
  if (dash == 0) {
    if (!last) return {};
    if (*last == 0 || size == 0) return {.kind = Kind::unsatisfiable};
    const std::uint64_t length = std::min(*last, size);
    return {.kind = Kind::part, .range = {.first = size - length, .length = length}};
  }
  const bool open = dash + 1 == field.size();
  if (!first || (!open && (!last || *last < *first))) return {};
  if (*first >= size) return {.kind = Kind::unsatisfiable};
  const std::uint64_t end = open ? size - 1 : std::min(*last, size - 1);
  return {.kind = Kind::part, .range = {.first = *first, .length = end - *first + 1}};
}

bool matches_tag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const auto begin = list.find_first_not_of(" \t,");
    if (begin == std::string_view::npos) return false;
    list.remove_prefix(begin);
    if (list.front() == '*') return true;
    if (list.starts_with("W/")) list.remove_prefix(2);
    const auto end = list.find('"', 1);
    if (list.empty() || list.front() != '"' || end == std::string_view::npos) return false;
    if (list.substr(0, end + 1) == tag) return true;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace curupira::serve
