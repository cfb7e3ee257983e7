#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/file_system.h"
#include "base/result.h"
#include "installer/commit.h"
#include "installer/lock_file.h"
#include "installer/seen_locks.h"
#include "manifest/platform.h"
#include "registry/reference.h"

namespace curupira::installer {

/// Where the lock file is, and for which platforms the settings want it.
struct LockPlace {
  std::filesystem::path file;                      ///< absolute
  std::vector<manifest::Platform> platforms = {};  ///< [lock] platforms; empty: not said
};

/// The lock file as a command found it, and as it changes it.
struct OpenedLock {
  std::filesystem::path file;
  std::optional<std::string> before;  ///< its bytes; nothing when there was none
  LockFile lock;

  std::filesystem::path folder() const { return file.parent_path(); }
  /// What a commit has to write; nothing when it is the same as before.
  std::optional<ReplacedFile> change() const;
};

/// Reads the lock file. Where there is none it is empty, for the platforms of the settings, else for
/// `platform`. One that is there keeps its platforms; where the settings want others, that is a warning.
/// Errors: those of parse_lock; lock_platform when it is not for `platform`.
Result<OpenedLock> open_lock(const FileSystem& files, const LockPlace& place,
                             const manifest::Platform& platform, Diagnostics& diagnostics);

/// What the store keeps for the lock file.
SeenLock seen_by(const OpenedLock& opened);

/// What the lock file becomes when `name` goes; nothing when it has no such entry, or is not there. Errors:
/// those of parse_lock.
Result<std::optional<ReplacedFile>> without_entry(const FileSystem& files, const std::filesystem::path& file,
                                                  std::string_view name);

/// The reference as the lock file has it: folders and files relative to the lock file's folder, which is
/// where they are looked for. `current`: where relative paths of `reference` start.
registry::Reference reference_for_lock(const registry::Reference& reference,
                                       const std::filesystem::path& current,
                                       const std::filesystem::path& lock_folder);

/// The reference of an entry, its paths absolute again. Error: lock_field.
Result<registry::Reference> reference_from_lock(const LockedExtension& extension,
                                                const std::filesystem::path& lock_folder);

}  // namespace curupira::installer
