#pragma once

#include <span>

#include "base/diagnostics.h"
#include "installer/lock_file.h"
#include "installer/store.h"
#include "manifest/platform.h"
#include "registry/reference.h"
#include "registry/resolution.h"
#include "registry/sources.h"

namespace curupira::installer {

/// A release of a curupira registry as the lock file has it, with what `platforms` need of it. The registry
/// is asked only when the store lacks a file of those, or a proof that holds; then it has to vouch for
/// exactly the locked files. One that was taken back since stays, with a warning. Errors: lock_mismatch,
/// policy_yanked; tuf_* and offline_missing when the registry should be asked and is not there; those of
/// RegistryClient.
Result<registry::Resolution> resolve_locked_release(const registry::SourceTools& tools, const Store& store,
                                                    const LockedExtension& entry,
                                                    const registry::RegistryReference& wanted,
                                                    std::span<const manifest::Platform> platforms,
                                                    Diagnostics& diagnostics);

/// The registry says of the locked release what the lock file says, whether or not the store has it already.
/// Errors: as above.
Result<> confirm_locked_release(const registry::SourceTools& tools, const Store& store,
                                const LockedExtension& entry, const registry::RegistryReference& wanted,
                                Diagnostics& diagnostics);

}  // namespace curupira::installer
