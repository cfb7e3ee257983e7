#pragma once

#include "registry/package_index.h"
#include "registry/repository_folder.h"

namespace curupira::registry {

/// Every file of every version is there, with its size. Error: registry_damaged with the first that is not.
Result<> check_artifacts_there(const RepositoryFolder& folder, const PackageIndex& index);

/// The file is there, and is the one that the index promises. Errors: registry_damaged; digest_mismatch.
Result<> check_artifact(const RepositoryFolder& folder, const IndexArtifact& artifact);

}  // namespace curupira::registry
