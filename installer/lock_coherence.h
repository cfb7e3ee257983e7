#pragma once

#include "base/result.h"
#include "installer/lock_file.h"
#include "manifest/table_reader.h"

namespace curupira::installer {

/// The fields of an entry fit each other: what its text alone can show. Error: lock_field, with the place of
/// the one that does not fit.
Result<> check_coherence(const manifest::TableReader& table, const LockedExtension& extension);

/// The same for one of its artifacts: it has what its kind has, and its file is of its package and version.
Result<> check_coherence(const manifest::TableReader& table, const LockedExtension& extension,
                         const LockedArtifact& artifact);

}  // namespace curupira::installer
