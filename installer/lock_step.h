#pragma once

#include "installer/lock_file.h"
#include "installer/store.h"
#include "manifest/platform.h"

namespace curupira::installer {

/// True when what is installed is all that the entry says, and the store is complete: then there is nothing
/// to fetch, and nobody to ask. Only for npm and pip; what a folder or archive of the user's is now is seen
/// by looking at it again.
Result<bool> is_in_step(const Store& store, const LockedExtension& entry, const manifest::Platform& platform);

}  // namespace curupira::installer
