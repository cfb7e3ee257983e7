#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// The weakest level of the artifacts, which is the extension's; nothing when it has none (path:).
std::optional<manifest::VerificationLevel> weakest_level(
    std::span<const manifest::ReceiptArtifact> artifacts);

/// A package of which less is known now than was known before.
struct LoweredLevel {
  std::string package;
  std::string version;                   ///< now
  manifest::VerificationLevel before{};  ///< of the package, or of the whole extension when it is new in it
  manifest::VerificationLevel now{};
};

/// Where the level went down from the artifacts `before` to those of `now`: packages that both have, and,
/// when the weakest of all went down, the new ones that are below what it was. Empty: no step down. A step
/// down between versions needs consent (design.md §4).
std::vector<LoweredLevel> level_went_down(std::span<const manifest::ReceiptArtifact> before,
                                          std::span<const manifest::ReceiptArtifact> now);

/// For what must not go down at all, as what a lock file promises. Error: level_lowered with the packages.
Result<> require_levels(std::span<const manifest::ReceiptArtifact> promised,
                        std::span<const manifest::ReceiptArtifact> now);

/// "x@1.2.0: registry-signed → digest".
std::string to_string(const LoweredLevel& lowered);

}  // namespace curupira::installer
