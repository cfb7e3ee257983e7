#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"

namespace curupira::installer {

/// A lock file that a command of this home read or wrote, with what it names of the store. While the file is
/// there, the store keeps that: `sync` works again without a network (awslabs/mcp#1400). What the file says
/// now counts; while it cannot be read (a merge is under way), what it said when it was seen.
struct SeenLock {
  std::filesystem::path path;      ///< absolute
  std::vector<std::string> blobs;  ///< "sha512/<hex>", sorted, each once
  std::vector<std::string> trees;  ///< hexadecimal sha256, sorted, each once
  bool operator==(const SeenLock&) const = default;
};

/// Remembers the lock in the home; what was remembered of the same path is replaced. Call it under the home's
/// lock.
Result<> remember_lock(FileSystem& files, const HomeLayout& home, SeenLock lock);

struct SeenLocks {
  std::vector<SeenLock> locks;                    ///< whose files are there
  std::vector<std::filesystem::path> gone;        ///< records of files that are not
  std::vector<std::filesystem::path> unreadable;  ///< records that say nothing
};

Result<SeenLocks> seen_locks(const ReadOnlyFileSystem& files, const HomeLayout& home);

}  // namespace curupira::installer
