#pragma once

#include <string>

#include "base/result.h"
#include "registry/resolution.h"

namespace curupira::registry {

/// What vouches for a tarball, from the members `integrity` (SRI) and `shasum` (sha1) of `dist` or of a lock
/// file. `package` is for the messages: "x@1.2.3". Errors: integrity_missing; integrity_weak when there is
/// only sha1.
Result<Proof> npm_proof(const std::string* integrity, const std::string* shasum, const std::string& package);

}  // namespace curupira::registry
