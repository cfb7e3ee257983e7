#include "base/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace curupira {
namespace {

constexpr std::size_t max_edits = 2;
constexpr std::size_t max_compared_length = 128;  // names from outside may be long; the cost is quadratic

/// Letters replaced, added, left out, or exchanged with their neighbour: "nmp" is one edit from "npm".
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  if (name.size() > max_compared_length) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t best_distance = std::min(max_edits, name.size() / 2) + 1;
  for (const auto& candidate : known) {
    if (candidate.size() > max_compared_length || candidate == name) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace curupira
