#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/semver.h"

namespace curupira::registry {

/// A range of versions as npm reads it: "1.2.3", "^1.2", "~0.3", ">=1 <2 || 3.x", "1.2 - 2.0", "*".
class VersionRange {
 public:
  /// At most Limits::max_range_bytes. Error: reference_syntax with the part that cannot be read.
  static Result<VersionRange> parse(std::string_view text);

  /// npm's rule for prereleases: one is only in a range that names a prerelease of the same
  /// major.minor.patch.
  bool contains(const SemVer& version) const;
  /// The version, when the range is nothing but one.
  std::optional<SemVer> exact() const;

 private:
  struct Comparator {
    enum class Operator { less, less_equal, greater, greater_equal, equal } op;
    SemVer version;
    bool holds_for(const SemVer& other) const;
  };
  /// All comparators have to hold; none means that every release is contained.
  using Alternative = std::vector<Comparator>;
  friend class VersionRangeParser;

  std::vector<Alternative> alternatives_;
};

}  // namespace curupira::registry
