#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "manifest/receipt.h"

namespace curupira::manifest {

/// A glob on references without version: "npm:@acme/*", "pip:curupira-*", "archive:https://…/*", "path:*".
struct PolicyPattern {
  std::string text;  ///< as written
  std::string glob;  ///< the same; a path is absolute
  TextPosition position;
  bool matches(std::string_view reference) const;
};

/// `[[policy.verification]]`: what vouches at least for packages of these names.
struct MinimumLevel {
  std::vector<PolicyPattern> packages;
  VerificationLevel level = VerificationLevel::digest;
  TextPosition position;
};

/// The names that an extension may ask for, as globs.
struct AllowedNames {
  std::vector<std::string> globs;
  TextPosition position;
  bool admit(std::string_view name) const;
};

struct MinimumReleaseAge {
  std::chrono::seconds age{};
  std::string text;  ///< as written: "3d"
  TextPosition position;
};

/// `registry_metadata_max_age`.
struct MaxMetadataAge {
  std::chrono::seconds age{};
  std::string text;  ///< as written: "7d"
  TextPosition position;
};

struct MaxPackageSize {
  std::uint64_t bytes = 0;
  TextPosition position;
};

/// `allow_probe` and `allow_yanked`.
struct PolicySwitch {
  bool allowed = true;
  TextPosition position;
};

/// `[policy]` of a settings file: what may be installed and started (docs/policy.md). What it does not speak
/// of is allowed.
struct Policy {
  std::filesystem::path file;                            ///< for messages
  std::optional<std::vector<PolicyPattern>> allow = {};  ///< when there, everything else is refused
  TextPosition allow_position = {};
  std::vector<PolicyPattern> deny = {};         ///< wins over `allow`
  std::vector<MinimumLevel> verification = {};  ///< the first that matches a package counts
  std::optional<MinimumReleaseAge> minimum_release_age = {};
  std::optional<MaxMetadataAge> registry_metadata_max_age = {};  ///< of what is used without asking again
  std::optional<MaxPackageSize> max_package_size = {};
  std::optional<AllowedNames> permissions = {};
  std::optional<AllowedNames> runtimes = {};
  std::optional<PolicySwitch> allow_probe = {};
  std::optional<PolicySwitch> allow_yanked = {};  ///< releases that their authors took back (PEP 592)

  /// True when it forbids nothing.
  bool empty() const;
  /// "/home/me/.curupira/settings.toml:12"
  std::string place(TextPosition position) const;
  /// The rule that a package comes under; nothing when none names it.
  const MinimumLevel* minimum_level(std::string_view package) const;
};

}  // namespace curupira::manifest
