#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "installer/store.h"
#include "installer/store_roots.h"

namespace curupira::installer {

/// What became of objects that nothing uses.
struct Sweeping {
  std::vector<std::string> objects;  ///< "blobs/sha512/<hex>", "trees/<sha256>", "environments/<sha256>"
  std::uint64_t bytes = 0;           ///< that became free
};

/// Removes the objects of the store that nothing uses (store_roots.h); gives the bytes that became free. Call
/// it under the home's lock only. A receipt that cannot be read keeps everything: what it names is not known.
Result<std::uint64_t> collect_garbage(const Store& store);

/// The bytes of objects that only older generations use: what they cost.
Result<std::uint64_t> bytes_kept_for_rollback(const Store& store);

/// Removes what the given roots do not name, or with `dry_run` only says it.
Result<Sweeping> sweep(const Store& store, const StoreRoots& roots, bool dry_run);

}  // namespace curupira::installer
