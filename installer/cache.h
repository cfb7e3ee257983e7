#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/install_observer.h"
#include "installer/store.h"

namespace curupira::installer {

/// How many objects, and how many bytes they take on the disk. A file with several names counts once, where
/// it is met first: trees before environments, which are made of them.
struct StoreAmount {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

/// What the store holds, by kind and by who uses it.
struct CacheInfo {
  StoreAmount blobs, trees, environments;
  /// Each object counts for the first of these that it belongs to.
  StoreAmount extensions;     ///< what installed extensions use
  StoreAmount locks;          ///< what only lock files use that this home has seen
  StoreAmount running;        ///< what only running commands use
  StoreAmount generations;    ///< what only rollback needs
  StoreAmount unused;         ///< what the next prune removes
  std::uint64_t answers = 0;  ///< bytes in cache/: answers that may be asked again
  StoreAmount partial;        ///< downloads that broke off and can be gone on with; they are in cache/, too
  std::size_t installed = 0, seen_locks = 0, running_commands = 0, kept_generations = 0;
  std::vector<std::filesystem::path> unreadable;  ///< because of these nothing is removed
  std::uint64_t total() const { return blobs.bytes + trees.bytes + environments.bytes; }
};

/// Reads only; takes no lock.
Result<CacheInfo> cache_info(const HomeLayout& home, FileSystem& files);

struct PruneOptions {
  std::optional<std::uint64_t> max_bytes = {};  ///< budget of the store: older generations go until it fits
  std::optional<std::chrono::hours> max_age = {};    ///< generations and cached answers that are older go
  std::optional<std::size_t> keep_generations = {};  ///< at least 1: what is installed
  bool dry_run = false;
};

struct Pruned {
  std::vector<std::uint64_t> generations;           ///< that went
  std::vector<std::filesystem::path> lock_records;  ///< of lock files that are gone
  std::vector<std::string> objects;                 ///< of the store, as in `Sweeping`
  std::size_t answers = 0;                          ///< files of cache/
  std::size_t partial = 0;                          ///< downloads that broke off
  std::uint64_t freed_bytes = 0;
  std::uint64_t left_bytes = 0;                   ///< in the store
  std::vector<std::filesystem::path> unreadable;  ///< nothing of the store was removed because of these
};

/// Removes what nothing uses, downloads that broke off among it, and of generations and answers what the
/// budgets say (awslabs/mcp#1400). What an
/// installed extension, a kept generation, a seen lock or a running command uses stays, whatever the budget.
/// `now` is the time that ages are counted from.
Result<Pruned> prune_cache(const HomeLayout& home, FileSystem& files, const PruneOptions& options,
                           std::chrono::system_clock::time_point now, InstallObserver& observer);

}  // namespace curupira::installer
