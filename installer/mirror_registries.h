#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "installer/installer.h"
#include "registry/registry_copy.h"
#include "registry/repository_folder.h"

namespace curupira::installer {

/// A registry of extensions in a mirror: a copy at registries/<name> of what it itself signed.
struct MirroredRegistry {
  std::string name;  ///< as the settings call it
  registry::CopyReport report;
};

/// The names of the registries that the mirror has copies of, sorted.
Result<std::vector<std::string>> mirrored_registries(const registry::RepositoryFolder& folder);

/// Copies registries of the settings with the files of these packages, and of those that an earlier copy has.
/// `dry_run`: only says what would be copied. Errors: registry_unknown; root_unconfirmed when nobody here has
/// said which root is the right one; those of copy_registry.
Result<std::vector<MirroredRegistry>> copy_registries(
    const InstallerTools& tools, const registry::RepositoryFolder& folder,
    const std::map<std::string, std::set<std::string>>& packages, bool dry_run, const Clock& clock,
    Diagnostics& diagnostics, registry::CopyObserver& observer);

}  // namespace curupira::installer
