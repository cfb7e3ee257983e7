#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "installer/lock_file.h"
#include "installer/lock_place.h"
#include "registry/reference.h"

namespace curupira::installer {

/// Makes the entry of a prepared extension what the lock file says: its reference relative to the lock file,
/// its artifacts in order, its level the lowest of theirs.
void finish_entry(LockedExtension& entry, const registry::Reference& reference,
                  const std::filesystem::path& current, const OpenedLock& lock);

/// A file of this machine that is at the place which `locked` says gets the path as it is written there: the
/// way to it may be shorter here than where it was locked. `folder`: of the lock file.
void keep_paths(LockedExtension& entry, const LockedExtension& locked, const std::filesystem::path& folder);

/// What `locked` says is what was found on `platform`, field by field. Error: lock_mismatch with the field
/// and both values. The level counts when it was found lower: who vouches for bytes that are the same may be
/// told elsewhere.
Result<> check_entry(const LockedExtension& locked, const LockedExtension& found,
                     const manifest::Platform& platform);

/// A version that was locked before has the same bytes today. Error: digest_mismatch, which shows both. A
/// folder or archive of the user's own changes without a new version, and is not compared.
Result<> check_same_bytes(const LockedExtension& before, const LockedExtension& now);

/// What can be known of an entry before anything is fetched: its version is within its reference, and its
/// npm closure is in one piece. Errors: lock_mismatch.
Result<> check_reference(const LockedExtension& entry, const registry::Reference& reference);

}  // namespace curupira::installer
