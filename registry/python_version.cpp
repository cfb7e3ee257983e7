#include "registry/python_version.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace curupira::registry {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Version {
  std::vector<std::uint64_t> release;
  bool pre_release = false;
};

/// "3.13.0rc1", "3.12.1+"; what follows the numbers only tells a pre-release.
Version parse_version(std::string_view text) {
  Version version;
  while (!text.empty() && is_digit(text.front())) {
    std::uint64_t number = 0;
    while (!text.empty() && is_digit(text.front())) {
      number =
          std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(text.front() - '0'), 1u << 30);
      text.remove_prefix(1);
    }
    version.release.push_back(number);
    if (text.size() < 2 || text[0] != '.' || !is_digit(text[1])) break;
    text.remove_prefix(1);
  }
  constexpr std::array<std::string_view, 4> heads = {"a", "b", "rc", "dev"};
  if (!text.empty() && (text.front() == '.' || text.front() == '-')) text.remove_prefix(1);
  version.pre_release =
      std::ranges::any_of(heads, [&](std::string_view head) { return text.starts_with(head); });
  return version;
}

/// One spelling of a version: no zeros at the end of its numbers, one separator.
std::string comparable(std::string_view version) {
  std::string out;
  for (const char c : version) {
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else
      out += c == '-' || c == '_' ? '.' : c;
  }
  const std::size_t release = std::min(out.find_first_not_of("0123456789."), out.size());
  std::string head = out.substr(0, release);
  const std::string tail = out.substr(release);
  if (head.ends_with('.')) head.pop_back();
  while (head.ends_with(".0"))
    head.resize(head.size() - 2);
  return head + "|" + tail;
}

}  // namespace

int compare_python_versions(std::string_view a, std::string_view b) {
  const Version left = parse_version(a);
  const Version right = parse_version(b);
  for (std::size_t i = 0; i < std::max(left.release.size(), right.release.size()); ++i) {
    const std::uint64_t x = i < left.release.size() ? left.release[i] : 0;
    const std::uint64_t y = i < right.release.size() ? right.release[i] : 0;
    if (x != y) return x < y ? -1 : 1;
  }
  if (left.pre_release == right.pre_release) return 0;
  return left.pre_release ? -1 : 1;
}

bool same_python_version(std::string_view a, std::string_view b) {
  return comparable(a) == comparable(b);
}

bool python_version_begins_with(std::string_view version, std::string_view prefix) {
  const Version whole = parse_version(version);
  const Version head = parse_version(prefix);
  for (std::size_t i = 0; i < head.release.size(); ++i)
    if ((i < whole.release.size() ? whole.release[i] : 0) != head.release[i]) return false;
  return true;
}

}  // namespace curupira::registry
