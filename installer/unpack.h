#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "installer/limits.h"
#include "installer/tree_listing.h"
#include "installer/tree_writer.h"
#include "installer/verified_artifact.h"

namespace curupira::installer {

/// How an archive becomes a tree.
struct UnpackRules {
  int strip = 0;           ///< leading segments that paths lose
  bool plain_tar = false;  ///< it is a tar without compression, of our own (installer/tree_archive.h)
  /// Is called when all is written, before the modes are settled: for programs that have to be executable.
  std::function<Result<>(TreeWriter& writer, const std::filesystem::path& folder)> at_the_end = {};
};

/// Unpacks into the empty `folder`, by the rules of design.md §5. Refused, the folder holds what was written
/// so far: the caller drops it. Errors: those of ArchiveReader, ArchiveRules and TreeWriter, with the
/// artifact in `doing`.
Result<TreeListing> unpack(const VerifiedArtifact& artifact, const UnpackRules& rules,
                           const ArchiveLimits& limits, const std::filesystem::path& folder);

/// The same for a file that nobody vouched for: for fuzzing and tests.
Result<TreeListing> unpack_file(const std::filesystem::path& file, const UnpackRules& rules,
                                const ArchiveLimits& limits, const std::filesystem::path& folder);

}  // namespace curupira::installer
