#include "registry/version_range.h"

#include <algorithm>
#include <charconv>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

constexpr std::uint64_t max_number =
    9'007'199'254'740'991;  // npm's: the largest that a JavaScript number holds exactly

/// "1", "1.2", "1.x.x", "*", "1.2.3-rc.1": a version of which the right parts may be open.
struct Partial {
  std::optional<std::uint64_t> major, minor, patch;
  std::string prerelease;           // without '-'
  bool contradicts_itself = false;  // "1.x.5", which npm takes after ^ and ~ and between - only
};

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

bool is_open(std::string_view part) {
  return part == "x" || part == "X" || part == "*";
}

std::optional<std::uint64_t> parse_number(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number > max_number)
    return std::nullopt;
  return number;
}

std::optional<Partial> parse_partial(std::string_view text) {
  while (!text.empty() && (text.front() == 'v' || text.front() == '=' || is_space(text.front())))
    text.remove_prefix(1);
  Partial partial;
  if (text.empty()) return partial;
  const std::size_t suffix = text.find_first_of("-+");
  std::string_view numbers = text.substr(0, suffix);
  std::optional<std::uint64_t>* const parts[] = {&partial.major, &partial.minor, &partial.patch};
  bool open = false;
  for (int i = 0; i < 3; ++i) {
    const std::size_t dot = numbers.find('.');
    const std::string_view part = numbers.substr(0, dot);
    if (is_open(part)) {
      open = true;
    } else {
      const auto number = parse_number(part);
      if (!number) return std::nullopt;
      if (open) partial.contradicts_itself = true;
      if (!open) *parts[i] = *number;
    }
    if (dot == std::string_view::npos) {
      numbers = {};
      break;
    }
    numbers.remove_prefix(dot + 1);
    if (i == 2) return std::nullopt;
  }
  if (suffix == std::string_view::npos) return partial;
  if (!SemVer::parse("1.2.3" + std::string(text.substr(suffix)))) return std::nullopt;
  if (partial.patch && text[suffix] == '-') {
    const std::string_view tail = text.substr(suffix + 1);
    partial.prerelease = std::string(tail.substr(0, tail.find('+')));
  }
  return partial;
}

std::optional<SemVer> make_version(std::uint64_t major, std::uint64_t minor, std::uint64_t patch,
                                   const std::string& prerelease) {
  auto version = SemVer::parse(std::to_string(major) + "." + std::to_string(minor) + "." +
                               std::to_string(patch) + (prerelease.empty() ? "" : "-" + prerelease));
  if (!version) return std::nullopt;
  return *std::move(version);
}

}  // namespace

/// Writes everything that npm knows as a list of plain comparisons, as npm itself does.
class VersionRangeParser {
 public:
  using Operator = VersionRange::Comparator::Operator;

  Result<VersionRange::Alternative> parse(std::string_view text) {
    text = trimmed(text);
    if (const std::size_t hyphen = text.find(" - "); hyphen != std::string_view::npos) {
      if (!hyphen_range(trimmed(text.substr(0, hyphen)), trimmed(text.substr(hyphen + 3))))
        return unreadable(text);
      return std::move(comparators_);
    }
    while (!text.empty()) {
      const std::string_view whole = text;
      const std::size_t operator_end = std::min(text.find_first_not_of("<>=~^"), text.size());
      const std::string_view op = text.substr(0, operator_end);
      text = trimmed(text.substr(operator_end));
      const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
      const std::string_view version = text.substr(0, end);
      if ((version.empty() && !op.empty()) || !comparison(op, version)) return unreadable(whole);
      text = trimmed(text.substr(end));
    }
    return std::move(comparators_);
  }

 private:
  static tl::unexpected<Error> unreadable(std::string_view part) {
    return fail(ErrorCode::reference_syntax,
                "\"" + printable(part) + "\" is not a version or a range of versions");
  }

  bool add(Operator op, std::uint64_t major, std::uint64_t minor, std::uint64_t patch,
           const std::string& prerelease = {}) {
    auto version = make_version(major, minor, patch, prerelease);
    if (version) comparators_.push_back({op, *std::move(version)});
    return version.has_value();
  }
  /// From the parts that are given, up to and without the first version of the next `major`, `minor` or
  /// `patch`.
  bool between(const Partial& from, std::uint64_t major, std::uint64_t minor, std::uint64_t patch) {
    return add(Operator::greater_equal, *from.major, from.minor.value_or(0), from.patch.value_or(0),
               from.prerelease) &&
           add(Operator::less, major, minor, patch, "0");
  }
  bool nothing() { return add(Operator::less, 0, 0, 0, "0"); }

  bool comparison(std::string_view op, std::string_view text) {
    const auto partial = parse_partial(text);
    if (!partial) return false;
    if (op == "^") return caret(*partial);
    if (op == "~" || op == "~>") return tilde(*partial);
    if (partial->contradicts_itself) return false;
    if (op == "" || op == "=" || op == "==") return equal(*partial);
    if (op == ">" || op == ">=" || op == "<" || op == "<=") return ordered(op, *partial);
    return false;
  }

  bool caret(const Partial& p) {
    if (!p.major) return true;
    if (*p.major > 0 || !p.minor) return between(p, *p.major + 1, 0, 0);
    if (*p.minor > 0 || !p.patch) return between(p, 0, *p.minor + 1, 0);
    return between(p, 0, 0, *p.patch + 1);
  }

  bool tilde(const Partial& p) {
    if (!p.major) return true;
    if (!p.minor) return between(p, *p.major + 1, 0, 0);
    return between(p, *p.major, *p.minor + 1, 0);
  }

  bool equal(const Partial& p) {
    if (!p.major) return true;
    if (!p.minor) return between(p, *p.major + 1, 0, 0);
    if (!p.patch) return between(p, *p.major, *p.minor + 1, 0);
    return add(Operator::equal, *p.major, *p.minor, *p.patch, p.prerelease);
  }

  bool ordered(std::string_view op, const Partial& p) {
    const bool inclusive = op.size() == 2;
    const bool above = op.front() == '>';
    if (!p.major) return inclusive || nothing();
    if (p.patch) {
      const Operator exact = above ? (inclusive ? Operator::greater_equal : Operator::greater)
                                   : (inclusive ? Operator::less_equal : Operator::less);
      return add(exact, *p.major, *p.minor, *p.patch, p.prerelease);
    }
    // ">1.2" begins after all of 1.2, "<=1.2" ends there: both mean the first version of what follows
    const bool next = above != inclusive;
    const std::uint64_t major = *p.major + (next && !p.minor ? 1 : 0);
    const std::uint64_t minor = p.minor ? *p.minor + (next ? 1 : 0) : 0;
    return above ? add(Operator::greater_equal, major, minor, 0) : add(Operator::less, major, minor, 0, "0");
  }

  bool hyphen_range(std::string_view from_text, std::string_view to_text) {
    const auto from = parse_partial(from_text);
    const auto to = parse_partial(to_text);
    if (from_text.empty() || to_text.empty() || !from || !to) return false;
    if (from->major && !add(Operator::greater_equal, *from->major, from->minor.value_or(0),
                            from->patch.value_or(0), from->prerelease)) {
      return false;
    }
    return !to->major || ordered("<=", *to);
  }

  VersionRange::Alternative comparators_;
};

Result<VersionRange> VersionRange::parse(std::string_view text) {
  if (text.size() > Limits::max_range_bytes) {
    return fail(ErrorCode::reference_syntax, "a range of versions has " + format_bytes(text.size()) +
                                                 ", the limit is " + format_bytes(Limits::max_range_bytes));
  }
  VersionRange range;
  while (true) {
    const std::size_t bar = text.find("||");
    CURUPIRA_TRY(auto alternative, VersionRangeParser().parse(text.substr(0, bar)));
    range.alternatives_.push_back(std::move(alternative));
    if (bar == std::string_view::npos) return range;
    text.remove_prefix(bar + 2);
  }
}

bool VersionRange::Comparator::holds_for(const SemVer& other) const {
  switch (op) {
    case Operator::less:
      return other < version;
    case Operator::less_equal:
      return other <= version;
    case Operator::greater:
      return other > version;
    case Operator::greater_equal:
      return other >= version;
    case Operator::equal:
      return other == version;
  }
  return false;
}

bool VersionRange::contains(const SemVer& version) const {
  return std::ranges::any_of(alternatives_, [&](const Alternative& comparators) {
    if (!std::ranges::all_of(comparators, [&](const Comparator& c) { return c.holds_for(version); }))
      return false;
    if (version.prerelease().empty()) return true;
    return std::ranges::any_of(comparators, [&](const Comparator& c) {
      return !c.version.prerelease().empty() && c.version.major() == version.major() &&
             c.version.minor() == version.minor() && c.version.patch() == version.patch();
    });
  });
}

std::optional<SemVer> VersionRange::exact() const {
  if (alternatives_.size() != 1 || alternatives_.front().size() != 1) return std::nullopt;
  const Comparator& only = alternatives_.front().front();
  return only.op == Comparator::Operator::equal ? std::optional(only.version) : std::nullopt;
}

}  // namespace curupira::registry
