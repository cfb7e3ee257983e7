#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifest/receipt.h"

namespace curupira::installer {

/// What will happen to one extension.
struct PlannedExtension {
  enum class Action { add, replace, keep };
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
};

/// A value: printed before consent, by --dry-run and as JSON; compared by tests (design.md §2, step 3).
struct InstallPlan {
  std::vector<PlannedExtension> extensions;  ///< in the order of the references
  bool changes_something() const;
};

}  // namespace curupira::installer
