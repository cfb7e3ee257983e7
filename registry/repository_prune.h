#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "registry/repository.h"

namespace curupira::registry {

struct PruneRequest {
  /// What was replaced longer ago than this is removed: a client in the middle of its walk, and a mirror that
  /// copies, still need what they began with.
  std::chrono::days keep{30};
  bool dry_run = false;
};

struct PruneOutcome {
  std::vector<std::string> removed = {};  ///< paths below the registry's folder, in the order of removal
  std::uint64_t bytes = 0;                ///< that they took
};

/// Removes old versions of metadata, and files of packages that no metadata names any more: that of now, of
/// snapshots that were replaced within the time to keep, and what waits in metadata-pending/. No root is
/// removed, since every client begins with an old one, and nothing whose name is not of a registry.
/// `repository` is open for changing. Error: registry_damaged when what clients see now cannot be read: then
/// nothing is removed.
Result<PruneOutcome> prune(Repository& repository, const PruneRequest& request);

}  // namespace curupira::registry
