#pragma once

#include <string>
#include <vector>

#include "registry/repository.h"
#include "registry/revision.h"

namespace curupira::registry {

struct RefreshOutcome {
  RevisionOutcome revision;
  std::vector<std::string> adopted = {};  ///< files of publishers that clients see from now on
  std::vector<std::string> renewed = {};  ///< roles that would have expired soon
  bool search_rebuilt = false;
};

/// What has to be done for a registry from time to time, with the online key: the timestamp is signed anew,
/// as is what is near its expiry, as far as its keys are here; what publishers signed becomes visible; the
/// search index is made of what there is. What cannot be done is a warning. Errors: registry_key_missing
/// without the online key.
Result<RefreshOutcome> refresh(Repository& repository);

}  // namespace curupira::registry
