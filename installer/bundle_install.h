#pragma once

#include "installer/bundle.h"
#include "installer/installer.h"

namespace curupira::installer {

/// Brings what the bundle has into the home: blobs and proofs into the store, its entries into the lock file
/// beside those that are there. Then it is a `sync` without a network: `tools.http` is nothing. Errors:
/// bundle_platform; bundle_base_missing; digest_mismatch when the home's lock file has another digest for the
/// same version; lock_platform when the home's lock file is for a platform that the bundle's is not; those of
/// prepare_sync.
Result<PreparedInstall> prepare_bundle(const InstallerTools& tools, const Bundle& bundle,
                                       const InstallOptions& options, Diagnostics& diagnostics,
                                       InstallObserver& observer);

}  // namespace curupira::installer
