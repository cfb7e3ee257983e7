#pragma once

#include <span>
#include <string>
#include <vector>

#include "installer/installer.h"

namespace curupira::installer {

/// An installed extension and what its reference means today.
struct OutdatedExtension {
  std::string name;
  std::string reference;
  std::string installed;  ///< version
  std::string newest;     ///< within the reference's range
};

/// Asks the registries what the references of the installed extensions mean today; nothing is fetched or
/// changed. Extensions of folders and archives are not among them: they have no registry. Errors: those of
/// registry::Source.
Result<std::vector<OutdatedExtension>> find_outdated(const InstallerTools& tools, Diagnostics& diagnostics,
                                                     InstallObserver& observer);

/// Resolves extensions again, each within its reference's range. `names`: which; empty: all. Errors:
/// not_installed, not_managed, those of prepare_install.
Result<PreparedInstall> prepare_update(const InstallerTools& tools, std::span<const std::string> names,
                                       const InstallOptions& options, Diagnostics& diagnostics,
                                       InstallObserver& observer);

/// What of a plan needs more than a plain yes: permissions that were added, and levels that went down, a line
/// each.
std::vector<std::string> changes_to_accept(const InstallPlan& plan);

}  // namespace curupira::installer
