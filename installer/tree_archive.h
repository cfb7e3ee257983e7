#pragma once

#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "installer/store.h"

namespace curupira::installer {

/// A tree of the store as one tar file, the same bytes for the same tree: folders, then files, then links, so
/// that it can be unpacked by the rules for archives. Errors: archive_link for a link that leads to something
/// else than a file of the tree; file_failed; size_mismatch when a file of the tree is not what its listing
/// says.
Result<> pack_tree(const Store& store, std::string_view tree, ByteSink& sink);

}  // namespace curupira::installer
