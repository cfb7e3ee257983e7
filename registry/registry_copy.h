#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "registry/copied_metadata.h"
#include "registry/repository_lock.h"

namespace curupira::registry {

/// What copying works with; all of it outlives the call.
struct CopyTools {
  FileSystem& files;
  const Clock& clock;
  std::filesystem::path scratch;  ///< a folder of its own, for what is on its way
};

struct CopyRequest {
  CopyTrust trust = {};
  /// Names of packages whose files are copied; nothing: of all. What an earlier copy brought is kept up to
  /// date, too.
  std::optional<std::set<std::string>> packages = {};
  bool dry_run = false;  ///< only says what would be copied
  LockRequest lock = {};
};

struct CopyCount {
  std::uint64_t metadata = 0;   ///< files
  std::uint64_t indexes = 0;    ///< of packages, and of the search
  std::uint64_t artifacts = 0;  ///< files
  std::uint64_t bytes = 0;      ///< of all of them
};

struct CopyReport {
  CopyCount copied = {};
  CopyCount there = {};          ///< what was looked for and found; not what did not have to be looked for
  std::uint64_t roles = 0;       ///< whose metadata the registry has
  std::uint64_t same_roles = 0;  ///< of them, that the copy had already
  std::vector<std::string> expired = {};  ///< roles that clients refuse until they are signed anew
  std::int64_t snapshot = 0;              ///< version that the copy shows
  std::chrono::sys_seconds expires = {};  ///< of its timestamp
  std::optional<std::set<std::string>> packages = {};  ///< that the copy has; nothing: all
};

class CopyObserver {
 public:
  virtual ~CopyObserver() = default;
  /// Before a file is copied: "artifacts/<sha256>.x.tar.gz".
  virtual void copying(const std::string& file, const CopyCount& so_far) = 0;
};

/// Copies a registry from one place to another as it is, without signing anew. All of it is verified on the
/// way, as a client does it: nothing that does not hold is written, and what was there stays usable. Targets
/// come first, then metadata, snapshot and timestamp: killed at any instant, the copy shows what it showed
/// before, and the next one goes on from there. What is there is not copied again, and metadata that has not
/// changed is not read. Errors: those of CopiedMetadata; tuf_target_swapped, tuf_metadata_missing,
/// package_index_invalid, package_unlisted for a package that the registry does not have; those of the
/// carriers.
Result<CopyReport> copy_registry(const CopyTools& tools, Carrier& from, WritableCarrier& to,
                                 const CopyRequest& request, CopyObserver& observer);

}  // namespace curupira::registry
