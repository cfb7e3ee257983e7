#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "registry/reference.h"
#include "registry/sources.h"

namespace curupira::cli {

/// References as people write them: also "package" and "package@range", where exactly one registry of the
/// settings has the package. Errors: those of registry::parse_reference and registry::find_bare_package;
/// registry_unknown.
Result<std::vector<registry::Reference>> read_references(const std::vector<std::string>& texts,
                                                         const registry::SourceTools& tools);

}  // namespace curupira::cli
