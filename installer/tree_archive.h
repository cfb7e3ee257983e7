#pragma once

#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "installer/limits.h"
#include "installer/store.h"

namespace curupira::installer {

/// A tree of the store as one tar file, the same bytes for the same tree: folders, then files, then links, so
/// that it can be unpacked by the rules for archives. Errors: those of ArchiveRules, for a tree that could
/// not be unpacked again; archive_link also for a link that does not name its file in the straight way;
/// file_failed; size_mismatch when a file of the tree is not what its listing says.
Result<> pack_tree(const Store& store, std::string_view tree, const ArchiveLimits& limits, ByteSink& sink);

}  // namespace curupira::installer
