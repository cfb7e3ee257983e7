#include "registry/python_specifiers.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace curupira::registry {

namespace {

/// Numbers in versions are dates at most; more is as good as this.
constexpr std::uint64_t largest_number = 1ull << 53;

std::string_view trimmed(std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

/// A part that a version may have or not, in the place that PEP 440 gives it among others.
struct Part {
  int rank = 0;  ///< orders what is there against what is not
  std::uint64_t number = 0;
  auto operator<=>(const Part&) const = default;
};

struct Version {
  std::uint64_t epoch = 0;
  std::vector<std::uint64_t> release;
  std::optional<Part> pre;  ///< rank: a 0, b 1, rc 2
  std::optional<std::uint64_t> post, dev;
  std::string local;

  bool is_pre_release() const { return pre || dev; }
  std::uint64_t at(std::size_t i) const { return i < release.size() ? release[i] : 0; }
};

class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (const char c : trimmed(text))
      text_ += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? '-' : c;
    rest_ = text_;
  }

  std::optional<Version> version() {
    Version version;
    if (rest_.starts_with('v')) rest_.remove_prefix(1);
    auto first = number();
    if (!first) return std::nullopt;
    if (take("!")) {
      version.epoch = *first;
      first = number();
      if (!first) return std::nullopt;
    }
    version.release.push_back(*first);
    while (rest_.size() > 1 && rest_[0] == '.' && is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      version.release.push_back(*number());
    }
    static constexpr std::array<std::pair<std::string_view, int>, 8> pre_releases = {
        {{"alpha", 0}, {"a", 0}, {"beta", 1}, {"b", 1}, {"preview", 2}, {"pre", 2}, {"c", 2}, {"rc", 2}}};
    for (const auto& [word, rank] : pre_releases) {
      if (version.pre) break;
      if (const auto pre = part(word)) version.pre = Part{rank, *pre};
    }
    for (const std::string_view word : {"post", "rev", "r"})
      if (!version.post) version.post = part(word);
    if (!version.post && rest_.size() > 1 && rest_[0] == '-' && is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      version.post = number();
    }
    version.dev = part("dev");
    if (take("+")) {
      if (rest_.empty() ||
          rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") != std::string_view::npos)
        return std::nullopt;
      version.local = rest_;
      std::ranges::replace(version.local, '-', '.');
      rest_ = {};
    }
    return rest_.empty() ? std::optional(version) : std::nullopt;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::uint64_t> number() {
    if (rest_.empty() || !is_digit(rest_.front())) return std::nullopt;
    std::uint64_t value = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1))
      value = std::min(value * 10 + static_cast<std::uint64_t>(rest_.front() - '0'), largest_number);
    return value;
  }
  /// "rc1", ".rc-1", "-rc": a word with separators around it and a number, which is 0 when it is not there.
  std::optional<std::uint64_t> part(std::string_view word) {
    std::string_view rest = rest_;
    const auto skip_separator = [&] {
      if (!rest.empty() && (rest.front() == '.' || rest.front() == '-')) rest.remove_prefix(1);
    };
    skip_separator();
    if (!rest.starts_with(word)) return std::nullopt;
    rest.remove_prefix(word.size());
    if (rest.size() > 1 && (rest[0] == '.' || rest[0] == '-') && is_digit(rest[1])) skip_separator();
    // "pre" is the beginning of "preview", "r" of "rc" and "rev": a word ends where its letters end.
    if (!rest.empty() && rest.front() >= 'a' && rest.front() <= 'z' && !rest.starts_with("post") &&
        !rest.starts_with("dev") && !rest.starts_with("r"))
      return std::nullopt;
    rest_ = rest;
    return number().value_or(0);
  }

  std::string text_;
  std::string_view rest_;
};

std::strong_ordering compare_releases(const Version& a, const Version& b) {
  if (a.epoch != b.epoch) return a.epoch <=> b.epoch;
  for (std::size_t i = 0; i < std::max(a.release.size(), b.release.size()); ++i)
    if (a.at(i) != b.at(i)) return a.at(i) <=> b.at(i);
  return std::strong_ordering::equal;
}

/// Without what is local.
std::strong_ordering compare(const Version& a, const Version& b) {
  if (const auto order = compare_releases(a, b); order != 0) return order;
  // A development release of nothing else comes before all pre-releases, the release after them.
  const auto pre = [](const Version& v) {
    if (v.pre) return *v.pre;
    return Part{v.dev && !v.post ? -1 : 3, 0};
  };
  if (const auto order = pre(a) <=> pre(b); order != 0) return order;
  const auto post = [](const Version& v) { return v.post ? Part{1, *v.post} : Part{0, 0}; };
  if (const auto order = post(a) <=> post(b); order != 0) return order;
  const auto dev = [](const Version& v) { return v.dev ? Part{0, *v.dev} : Part{1, 0}; };
  return dev(a) <=> dev(b);
}

bool begins_with(const Version& version, const Version& prefix, std::size_t numbers) {
  if (version.epoch != prefix.epoch) return false;
  for (std::size_t i = 0; i < numbers; ++i)
    if (version.at(i) != prefix.at(i)) return false;
  return true;
}

std::optional<bool> fits(const Version& version, std::string_view comparison, std::string_view text) {
  const bool prefix = text.ends_with(".*");
  if (prefix) text.remove_suffix(2);
  const auto bound = Reader(text).version();
  if (!bound) return std::nullopt;
  if (prefix) {
    if (comparison != "==" && comparison != "!=") return std::nullopt;
    return begins_with(version, *bound, bound->release.size()) == (comparison == "==");
  }
  const auto order = compare(version, *bound);
  const bool same_numbers = compare_releases(version, *bound) == 0;
  if (comparison == "==" || comparison == "!=") {
    const bool same = order == 0 && (bound->local.empty() || bound->local == version.local);
    return same == (comparison == "==");
  }
  if (comparison == ">=") return order >= 0;
  if (comparison == "<=") return order <= 0;
  // "<2" does not mean 2rc1, ">1" does not mean 1.post1.
  if (comparison == "<")
    return order < 0 && (bound->is_pre_release() || !version.is_pre_release() || !same_numbers);
  if (comparison == ">") return order > 0 && (bound->post || !version.post || !same_numbers);
  if (bound->release.size() < 2) return std::nullopt;  // "~="
  return order >= 0 && begins_with(version, *bound, bound->release.size() - 1);
}

std::optional<bool> fits_one(const Version& version, std::string_view text, std::string_view specifier) {
  if (specifier.starts_with("===")) return trimmed(specifier.substr(3)) == trimmed(text);
  for (const std::string_view comparison : {"==", "!=", "<=", ">=", "~=", "<", ">"})
    if (specifier.starts_with(comparison))
      return fits(version, comparison, trimmed(specifier.substr(comparison.size())));
  return std::nullopt;
}

}  // namespace

std::optional<bool> fits_python_specifiers(std::string_view text, std::string_view specifiers) {
  const auto version = Reader(text).version();
  if (!version) return std::nullopt;
  bool all = true;
  for (std::string_view rest = trimmed(specifiers); !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view one = trimmed(rest.substr(0, comma));
    rest = trimmed(rest.substr(std::min(comma + 1, rest.size())));
    if (one.empty() && rest.empty()) break;  // a comma at the end
    const auto fitting = fits_one(*version, text, one);
    if (!fitting) return std::nullopt;
    all = all && *fitting;
  }
  return all;
}

}  // namespace curupira::registry
