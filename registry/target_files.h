#pragma once

#include <string>

#include "registry/mirror_index.h"
#include "registry/package_brief.h"
#include "registry/repository_folder.h"
#include "registry/search_index.h"
#include "tuf/metadata.h"

namespace curupira::registry {

/// A target that is not written yet: what metadata says of it, and its bytes.
struct NewTarget {
  std::string target;  ///< "packages/x.json"
  tuf::TargetFile file;
  TargetUpload upload;
};

Result<NewTarget> new_package_index(const PackageIndex& index, const PackageBrief& brief);
Result<NewTarget> new_search_index(const SearchIndex& index);
Result<NewTarget> new_mirror_index(const MirrorIndex& index);

/// The target's bytes, compared with length and digests. Errors: tuf_target_swapped, tuf_hash_unknown,
/// file_not_found.
Result<std::string> read_vouched_target(const RepositoryFolder& folder, const std::string& target,
                                        const tuf::TargetFile& file, std::uint64_t max_bytes);

/// The package's index as `file` vouches for it. Errors: the same; package_index_invalid.
Result<PackageIndex> read_package_index(const RepositoryFolder& folder, const PackageName& name,
                                        const tuf::TargetFile& file);

}  // namespace curupira::registry
