#include "base/glob.h"

#include <optional>

namespace curupira {
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

bool glob_matches(std::string_view glob, std::string_view text) {
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
    if (at == glob.size() && position == text.size()) return true;
    bool fits = false;
    if (at < glob.size() && position < text.size()) {
      if (glob[at] == '[') {
        const auto holds = set_holds(glob, at, text[position]);
        if (!holds) return false;
        fits = *holds;
      } else {
        fits = glob[at] == '?' || glob[at] == text[position];
        ++at;
      }
      ++position;
    }
    if (fits) continue;
    if (!star || star_position >= text.size()) return false;
    at = *star;
    position = ++star_position;
  }
}

bool glob_is_complete(std::string_view glob) {
  for (std::size_t at = 0; at < glob.size();) {
    if (glob[at] != '[') {
      ++at;
    } else if (!set_holds(glob, at, '\0')) {
      return false;
    }
  }
  return true;
}

std::string glob_of_text(std::string_view text) {
  std::string glob;
  for (const char c : text) {
    const bool special = c == '*' || c == '?' || c == '[';
    glob += special ? std::string{'[', c, ']'} : std::string(1, c);
  }
  return glob;
}

}  // namespace curupira
