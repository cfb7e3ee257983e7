#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifest/settings.h"

namespace curupira::manifest {

/// The package that the arguments of npx or uvx ask for, as written, with its version: "@acme/ext@^1.2",
/// "acme-ext[extra]==0.1". Empty when they name none.
std::string package_spec(Plugin::Type type, const std::vector<std::string>& args);

/// The name in such a text: without version, range and extras. A URL or path names no package of a registry
/// and stays as it is.
std::string package_name(Plugin::Type type, std::string_view spec);

}  // namespace curupira::manifest
