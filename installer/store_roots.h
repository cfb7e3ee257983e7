#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "installer/store.h"

namespace curupira::installer {

/// Who uses an object of the store.
struct StoreUse {
  bool extension = false;   ///< that is installed
  bool generation = false;  ///< that is kept
  bool lock = false;        ///< a lock file that this home has seen
  bool running = false;     ///< a command that runs an extension
};

/// What of the store has to stay, and why (awslabs/mcp#1400).
struct StoreRoots {
  std::map<std::string, StoreUse> blobs;  ///< "sha512/<hex>"
  std::map<std::string, StoreUse> trees;  ///< hexadecimal sha256
  std::map<std::string, StoreUse> environments;
  std::size_t extensions = 0;  ///< how many are installed, and so on
  std::size_t generations = 0;
  std::size_t locks = 0;
  std::size_t running = 0;
  /// Receipts and records that cannot be read: what they name is not known, so nothing may go.
  std::vector<std::filesystem::path> unreadable;
};

/// "sha512/<hex>".
std::string blob_name(const Digest& digest);

/// Reads receipts, the generations from `oldest_generation` on, seen locks and the markers of running
/// commands. Call it under the home's lock when something is to be removed.
Result<StoreRoots> find_roots(const Store& store, std::uint64_t oldest_generation = 0);

}  // namespace curupira::installer
