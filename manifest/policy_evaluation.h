#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "manifest/discovery.h"
#include "manifest/manifest.h"
#include "manifest/policy.h"
#include "manifest/receipt.h"

namespace curupira::manifest {

/// A package of an extension, as the policy sees it.
struct PolicyPackage {
  std::string reference;                        ///< without version: "npm:ms"
  std::string version;                          ///< empty when it has none
  std::optional<VerificationLevel> level = {};  ///< nothing: this program did not verify it
  bool dependency = false;  ///< it came with another package: `deny` binds it, `allow` does not
};

/// What the policy has to know of an extension that is prepared or installed.
struct PolicyFacts {
  std::string reference;  ///< without version: what the user asked for
  /// Everything that was fetched for it, and the reference itself where that names no file.
  std::vector<PolicyPackage> packages;
  std::optional<std::uint64_t> size = {};  ///< bytes of everything fetched; nothing when it is not known
  std::vector<std::string> permissions;
  Runtime runtime = Runtime::executable;
};

PolicyFacts policy_facts(const Manifest& manifest, const Receipt& receipt);
/// Also of one that another program put there: of that only the manifest is known.
PolicyFacts policy_facts(const InstalledExtension& extension);

/// A rule that refuses something.
struct PolicyViolation {
  ErrorCode code;
  std::string rule;       ///< as in the file: `deny "npm:@acme/old-*"`
  TextPosition position;  ///< of the rule
  std::string found;      ///< what it refuses, and why
  bool operator==(const PolicyViolation&) const = default;
};

/// `deny` and, unless it is a dependency, `allow`. `reference` is without version.
std::optional<PolicyViolation> check_reference(const Policy& policy, std::string_view reference,
                                               bool dependency = false);

/// Every rule that what is known refuses, in the order of docs/policy.md. Age is not among them: it is for
/// choosing a version, never for one that was chosen (npm/cli#9277).
std::vector<PolicyViolation> check_extension(const Policy& policy, const PolicyFacts& facts);

/// The violations as one error, with the code of the first; there has to be one.
Error policy_error(const Policy& policy, std::span<const PolicyViolation> violations);

/// An extension that is installed starts only if the policy allows it. Errors: 45xx.
Result<> check_installed(const Policy& policy, const InstalledExtension& extension);

}  // namespace curupira::manifest
