#pragma once

#include <filesystem>

#include "base/result.h"

namespace curupira {

/// `FileSystem::remove_tree` of the real file system: works through directory descriptors, so that a link
/// that somebody puts in the way leads nowhere, and needs a bounded number of descriptors for a tree of any
/// depth.
Result<> posix_remove_tree(const std::filesystem::path& path);

}  // namespace curupira
