#pragma once

#include <string>
#include <vector>

#include "installer/installer.h"
#include "installer/lock_place.h"
#include "registry/reference.h"

namespace curupira::installer {

/// An extension that the settings name.
struct WantedExtension {
  std::string alias;                                  ///< of [plugins.<alias>]
  std::optional<registry::Reference> reference = {};  ///< npx and uvx
  std::string name = {};                              ///< type "installed"
};

struct SyncOptions {
  InstallOptions install;                    ///< with the lock file
  bool frozen = false;                       ///< --frozen: the lock file does not change
  std::vector<WantedExtension> wanted = {};  ///< what the settings name
};

/// Makes the home what the lock file says: installs what is missing or differs, removes what this program
/// installed and the lock file lacks. What the settings name and the lock file lacks is resolved, unless
/// `frozen`. Without tools.http nothing is fetched. Errors: lock_missing, lock_out_of_date, lock_mismatch,
/// lock_incomplete, offline_missing, those of parse_lock and of prepare_install.
Result<PreparedInstall> prepare_sync(const InstallerTools& tools, const SyncOptions& options,
                                     Diagnostics& diagnostics, InstallObserver& observer);

/// Adds to the lock file what the settings name or what is installed, and what it lacks; for platforms that
/// were added all of it again, at the versions that are locked. Installs nothing: `commit_lock`.
Result<PreparedInstall> prepare_lock(const InstallerTools& tools, const SyncOptions& options,
                                     Diagnostics& diagnostics, InstallObserver& observer);

}  // namespace curupira::installer
