#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"

namespace curupira::registry {

/// `minimum_release_age` of the policy: which releases may be chosen. It never speaks of what is installed or
/// locked (npm/cli#9277).
struct ReleaseAge {
  std::chrono::sys_seconds now;
  std::chrono::seconds minimum{};
  std::string rule;  ///< for messages: `settings.toml:5: minimum_release_age "3d"`

  std::chrono::sys_seconds latest() const { return now - minimum; }
  /// The latest time as RFC 3339, as npm and uv take it.
  std::string latest_text() const;
  /// False also when nobody says when it was released: `published` is nothing, or no time.
  bool admits(const std::optional<std::string>& published) const;
};

/// policy_age: `release` ("npm:x@1.2.3") is the newest that fits, and it is too young.
Error too_young(const std::string& release, const std::optional<std::string>& published,
                const ReleaseAge& age);

}  // namespace curupira::registry
