#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "installer/verification_level.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// What is installed now, where something else comes.
struct InstalledBefore {
  std::string version;
  manifest::VerificationLevel level = manifest::VerificationLevel::digest;
  std::uint64_t bytes = 0;  ///< of its artifacts
  std::vector<std::string> permissions = {};
  std::vector<LoweredLevel> lowered = {};  ///< packages that less is known of in what comes
};

/// What will happen to one extension.
struct PlannedExtension {
  enum class Action { add, replace, keep, remove };
  Action action = Action::add;
  std::string name;
  std::string version;
  std::optional<std::string> installed_version = {};  ///< when one of this name is installed
  std::string reference;
  std::string source;  ///< "npm", "pip", "path", "archive"
  std::string launch_type;
  std::vector<manifest::ReceiptArtifact>
      artifacts;                         ///< all fetched and verified; sizes and digests are facts
  std::vector<std::string> permissions;  ///< that the manifest asks for
  bool probed = false;
  std::string sandbox = {};
  std::optional<InstalledBefore> before = {};  ///< of this program; for replace and remove
};

/// A value: printed before consent, by --dry-run and as JSON; compared by tests (design.md §2, step 3).
struct InstallPlan {
  std::vector<PlannedExtension> extensions;  ///< in the order of the references
  bool changes_something() const;
  const PlannedExtension* find(std::string_view name) const;
};

}  // namespace curupira::installer
