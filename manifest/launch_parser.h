#pragma once

#include "base/result.h"
#include "manifest/manifest.h"
#include "manifest/table_reader.h"

namespace curupira::manifest {

/// The `[launch]` table of a manifest (spec/protocol.md §4). Unknown fields become warnings.
Result<Launch> parse_launch(TableReader& launch);

}  // namespace curupira::manifest
