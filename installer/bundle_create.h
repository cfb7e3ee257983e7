#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "installer/bundle.h"
#include "installer/installer.h"

namespace curupira::installer {

struct BundleRequest {
  InstallOptions install;                          ///< with the lock file that is bundled
  std::vector<manifest::Platform> platforms = {};  ///< empty: all of the lock file
  std::filesystem::path output;
  std::optional<std::filesystem::path> since = {};       ///< a bundle: what it had is left out
  std::optional<std::chrono::sys_seconds> created = {};  ///< SOURCE_DATE_EPOCH
};

/// Writes everything that the lock file names into one file, which appears whole or not at all. What the
/// store lacks is fetched; all of it is prepared as if it were installed, and compared with the lock file.
/// The same lock file and request give the same bytes. Errors: lock_missing, lock_platform, those of
/// prepare_sync and Bundle::open.
Result<Bundle> create_bundle(const InstallerTools& tools, const BundleRequest& request,
                             Diagnostics& diagnostics, InstallObserver& observer);

}  // namespace curupira::installer
