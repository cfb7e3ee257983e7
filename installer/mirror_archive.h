#pragma once

#include <optional>
#include <vector>

#include "installer/installer.h"
#include "installer/lock_file.h"

namespace curupira::installer {

/// What a lock file would say of an archive or of a release of a registry, if it were installed for these
/// platforms: with the files that its launch table names and the packages that it starts. Nothing when it has
/// no manifest. It is fetched and looked into, and nothing of it stays. Errors: those of prepare_install.
Result<std::optional<LockedExtension>> lock_as_installed(const InstallerTools& tools,
                                                         const registry::Reference& reference,
                                                         const std::vector<manifest::Platform>& platforms,
                                                         Diagnostics& diagnostics, InstallObserver& observer);

}  // namespace curupira::installer
