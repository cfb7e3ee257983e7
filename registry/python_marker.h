#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace curupira::registry {

/// Whether a PEP 508 marker ("sys_platform == 'linux' and python_version < '3.12'") holds where the variables
/// have these values; an unknown variable ("extra") is empty. An empty marker holds.
/// Error: resolution_unreadable.
Result<bool> marker_holds(std::string_view marker,
                          const std::map<std::string, std::string, std::less<>>& variables);

}  // namespace curupira::registry
