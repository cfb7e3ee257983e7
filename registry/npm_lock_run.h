#pragma once

#include <string>

#include "base/result.h"
#include "registry/npm_configuration.h"
#include "registry/sources.h"

namespace curupira::registry {

/// Lets npm, as a resolver only, write the lock file of `package` at exactly `version`, in a scratch folder;
/// no package code runs and no tarball is unpacked. Gives the text of package-lock.json. Errors:
/// tool_missing, tool_failed, package_not_found, version_not_found, credentials_refused, network_unreachable,
/// resolution_unsafe.
Result<std::string> run_npm_lock(const SourceTools& tools, const NpmConfiguration& configuration,
                                 const std::string& package, const std::string& version);

}  // namespace curupira::registry
