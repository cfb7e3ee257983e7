#include "base/semver.h"

#include <algorithm>
#include <charconv>

#include "base/printable.h"

namespace curupira {
namespace {

constexpr std::size_t max_length = 256;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_identifier_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}
bool is_numeric(std::string_view identifier) {
  return std::ranges::all_of(identifier, is_digit);
}
bool has_leading_zero(std::string_view digits) {
  return digits.size() > 1 && digits.front() == '0';
}

tl::unexpected<Error> invalid(std::string_view text, const std::string& reason) {
  return fail(ErrorCode::version_not_found,
              "\"" + excerpt(text, 80) + "\" is not a semantic version: " + reason);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    parts.push_back(text.substr(at, text.find(separator, at) - at));
    at += parts.back().size() + 1;
  }
  return parts;
}

/// Why the dot-separated identifiers cannot be used; empty when they can.
std::string fault_of_identifiers(std::string_view part, std::string_view what, bool numbers_count) {
  for (const auto identifier : split(part, '.')) {
    if (identifier.empty()) return "an identifier of the " + std::string(what) + " is empty";
    if (!std::ranges::all_of(identifier, is_identifier_character)) {
      return "the " + std::string(what) + " may have letters, digits, \"-\" and \".\" only";
    }
    if (numbers_count && is_numeric(identifier) && has_leading_zero(identifier)) {
      return "a number of the " + std::string(what) + " starts with 0";
    }
  }
  return {};
}

/// Numbers come before words; numbers can have any length.
std::strong_ordering compare_identifiers(std::string_view a, std::string_view b) {
  const bool a_numeric = is_numeric(a);
  const bool b_numeric = is_numeric(b);
  if (a_numeric != b_numeric) return a_numeric ? std::strong_ordering::less : std::strong_ordering::greater;
  if (a_numeric && a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

}  // namespace

Result<SemVer> SemVer::parse(std::string_view text) {
  if (text.empty()) return invalid(text, "it is empty");
  if (text.size() > max_length) {
    return invalid(text, "it is longer than " + std::to_string(max_length) + " characters");
  }
  SemVer version;
  std::string_view core = text;
  if (const auto plus = core.find('+'); plus != std::string_view::npos) {
    const auto build = core.substr(plus + 1);
    if (auto fault = fault_of_identifiers(build, "build metadata", false); !fault.empty()) {
      return invalid(text, fault);
    }
    version.build_ = build;
    core = core.substr(0, plus);
  }
  if (const auto hyphen = core.find('-'); hyphen != std::string_view::npos) {
    const auto prerelease = core.substr(hyphen + 1);
    if (auto fault = fault_of_identifiers(prerelease, "pre-release", true); !fault.empty()) {
      return invalid(text, fault);
    }
    for (const auto identifier : split(prerelease, '.'))
      version.prerelease_.emplace_back(identifier);
    core = core.substr(0, hyphen);
  }
  const auto numbers = split(core, '.');
  if (numbers.size() != 3) return invalid(text, "expected three numbers, as in 1.2.3");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto digits = numbers[i];
    if (digits.empty() || !is_numeric(digits)) return invalid(text, "expected three numbers, as in 1.2.3");
    if (has_leading_zero(digits)) return invalid(text, "a number starts with 0");
    std::uint64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) {
      return invalid(text, "a number is too large");
    }
    (i == 0 ? version.major_ : i == 1 ? version.minor_ : version.patch_) = value;
  }
  return version;
}

std::string SemVer::to_string() const {
  std::string text = std::to_string(major_) + "." + std::to_string(minor_) + "." + std::to_string(patch_);
  for (std::size_t i = 0; i < prerelease_.size(); ++i) {
    text += i == 0 ? "-" : ".";
    text += prerelease_[i];
  }
  if (!build_.empty()) text += "+" + build_;
  return text;
}

std::strong_ordering SemVer::operator<=>(const SemVer& other) const {
  if (const auto order = major_ <=> other.major_; order != 0) return order;
  if (const auto order = minor_ <=> other.minor_; order != 0) return order;
  if (const auto order = patch_ <=> other.patch_; order != 0) return order;
  // A pre-release comes before its release.
  if (prerelease_.empty() || other.prerelease_.empty())
    return other.prerelease_.size() <=> prerelease_.size();
  return std::lexicographical_compare_three_way(prerelease_.begin(), prerelease_.end(),
                                                other.prerelease_.begin(), other.prerelease_.end(),
                                                compare_identifiers);
}

}  // namespace curupira
