#include "runtime/tool_globs.h"

#include <optional>

namespace curupira::runtime {
namespace {

/// Whether the set that begins at `at` ("[…]") holds `c`; `at` moves behind it. Nothing when it has no end.
std::optional<bool> set_holds(std::string_view glob, std::size_t& at, char c) {
  std::size_t position = at + 1;
  const bool negated = position < glob.size() && (glob[position] == '!' || glob[position] == '^');
  if (negated) ++position;
  const auto close = glob.find(']', position + 1);
  if (close == std::string_view::npos) return std::nullopt;
  bool holds = false;
  while (position < close) {
    const bool is_range = position + 2 < close && glob[position + 1] == '-';
    const char last = is_range ? glob[position + 2] : glob[position];
    holds = holds || (c >= glob[position] && c <= last);
    position += is_range ? 3 : 1;
  }
  at = close + 1;
  return holds != negated;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view name) {
  std::size_t at = 0;
  std::size_t position = 0;
  // Where to go on when what follows the last "*" does not fit: one star is enough to go back to, so the cost
  // is bounded.
  std::optional<std::size_t> star;
  std::size_t star_position = 0;
  while (true) {
    if (at < glob.size() && glob[at] == '*') {
      star = ++at;
      star_position = position;
      continue;
    }
    if (at == glob.size() && position == name.size()) return true;
    bool fits = false;
    if (at < glob.size() && position < name.size()) {
      if (glob[at] == '[') {
        const auto holds = set_holds(glob, at, name[position]);
        if (!holds) return false;
        fits = *holds;
      } else {
        fits = glob[at] == '?' || glob[at] == name[position];
        ++at;
      }
      ++position;
    }
    if (fits) continue;
    if (!star || star_position >= name.size()) return false;
    at = *star;
    position = ++star_position;
  }
}

bool tools_allow(const std::vector<std::string>& tools, std::string_view trigger) {
  bool any_inclusion = false;
  bool included = false;
  for (const std::string_view tool : tools) {
    if (tool.starts_with('!')) {
      if (glob_matches(tool.substr(1), trigger)) return false;
      continue;
    }
    any_inclusion = true;
    included = included || glob_matches(tool, trigger);
  }
  return included || !any_inclusion;
}

}  // namespace curupira::runtime
