#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace curupira {

/// A version of Semantic Versioning 2.0.0.
class SemVer {
 public:
  /// Strict: "1.2.3", "1.2.3-rc.1+build". Error: version_not_found with what is wrong.
  static Result<SemVer> parse(std::string_view text);

  std::uint64_t major() const { return major_; }
  std::uint64_t minor() const { return minor_; }
  std::uint64_t patch() const { return patch_; }
  const std::vector<std::string>& prerelease() const { return prerelease_; }
  const std::string& build() const { return build_; }
  std::string to_string() const;

  /// Precedence; build metadata does not count.
  std::strong_ordering operator<=>(const SemVer& other) const;
  bool operator==(const SemVer& other) const { return (*this <=> other) == std::strong_ordering::equal; }

 private:
  std::uint64_t major_ = 0, minor_ = 0, patch_ = 0;
  std::vector<std::string> prerelease_;
  std::string build_;
};

}  // namespace curupira
