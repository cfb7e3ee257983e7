#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "installer/install_run.h"
#include "installer/store.h"
#include "manifest/receipt.h"

namespace curupira::installer {

// Objects of the store are made a second time, in the staging folder of `run`, from what of `store` is whole;
// each gives the folder that was made. It is what its name and listing say, or there is an error.

/// From the artifact that it was unpacked from, else from the folder that the receipt's reference names.
/// Errors: repair_failed when neither is there; repair_differs when another tree comes out.
Result<std::filesystem::path> rebuild_tree(const Store& store, const InstallRun& run,
                                           const std::string& digest, const manifest::Receipt& receipt);

/// From the trees of the receipt, and for files that are in none of them (what was written when the
/// environment was made) from the damaged one, where they are whole. Error: repair_failed.
Result<std::filesystem::path> rebuild_environment(const Store& store, const InstallRun& run,
                                                  const manifest::Receipt& receipt);

}  // namespace curupira::installer
