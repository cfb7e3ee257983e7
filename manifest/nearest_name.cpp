#include "manifest/nearest_name.h"

#include <algorithm>

namespace curupira::manifest {
namespace {

// Longer names come from outside and are not typing errors; the bound keeps the cost of hostile files small.
constexpr std::size_t max_compared_length = 64;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Edits that make `a` out of `b`; two neighbours that changed places count as one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > max_compared_length) return std::nullopt;
  std::size_t best = name.size() < 4 ? 2 : 3;  // the first distance that is too far
  std::optional<std::string> nearest;
  for (const std::string& candidate : known) {
    if (candidate.empty() || candidate.size() > max_compared_length) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const auto nearest = nearest_name(name, known);
  return nearest ? " (did you mean \"" + *nearest + "\"?)" : std::string();
}

}  // namespace curupira::manifest
