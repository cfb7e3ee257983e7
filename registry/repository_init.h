#pragma once

#include <string>
#include <vector>

#include "registry/repository.h"
#include "registry/repository_roles.h"

namespace curupira::registry {

struct InitRequest {
  int root_keys = 1;
  int root_threshold = 1;
  int bin_bits = default_bin_bits;  ///< 2^bits bins: few, so that the snapshot, which lists them, stays small
};

struct InitOutcome {
  std::string fingerprint;  ///< "sha256:<hex>" of the first root
  std::vector<std::filesystem::path> keys_made;
};

/// Whether a registry can be made there: nothing is there, or only what a killed init left, and a page, which
/// is not touched when it is not ours. Error:
/// registry_exists.
Result<> check_free(FileSystem& files, const RepositoryFolder& folder);

/// Makes a registry without packages, and the keys that are not in the folder for them: root-1.pem …,
/// targets.pem, online.pem. What a killed init left is written over. Errors: registry_exists,
/// registry_threshold, those of the keys.
Result<InitOutcome> init_repository(const RepositoryTools& tools, const RepositoryPlace& place,
                                    const InitRequest& request);

}  // namespace curupira::registry
