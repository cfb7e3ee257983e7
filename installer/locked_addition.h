#pragma once

#include <vector>

#include "installer/lock_file.h"
#include "installer/lock_resolver.h"
#include "installer/prepared_install.h"
#include "manifest/platform.h"
#include "registry/reference.h"

namespace curupira::installer {

/// What is added from a lock file.
struct LockedAddition {
  const registry::Reference& reference;
  const LockedExtension& entry;
  LockResolver::Folders folders = LockResolver::Folders::as_named;
  /// Beside the tools' one: what they need is fetched and compared as well.
  std::vector<manifest::Platform> other_platforms = {};
};

/// An extension as the lock file has it: all that its entry says has to be so. Nothing is resolved: npm
/// tarballs are looked for where nearly all registries have them, and where one is not there, where the
/// registry says that it is. Errors: those of add_extension and of LockResolver.
Result<> add_locked_extension(PreparedInstall::State& state, const InstallerTools& tools,
                              const InstallOptions& options, const InstallRun& run, Diagnostics& diagnostics,
                              const LockedAddition& addition);

}  // namespace curupira::installer
