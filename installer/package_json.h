#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "registry/npm_platform.h"

namespace curupira::installer {

/// What is needed of an npm package's package.json.
struct PackageJson {
  std::string name;     ///< empty when it says none
  std::string version;  ///< empty when it says none
  std::map<std::string, std::string>
      bins;  ///< command → path in the package, as written; of the string form too
  std::map<std::string, std::string>
      dependencies;                          ///< "dependencies" without the optional ones: name → range
  registry::NpmPlatformRule platforms = {};  ///< where it runs
  bool has_dependencies = false;             ///< "dependencies" or "optionalDependencies" that are not empty
};

/// `where` names the file in messages. Error: identity_mismatch when it cannot be read or has other types.
Result<PackageJson> parse_package_json(std::string_view text, std::string_view where);

/// The name without its scope.
std::string_view unscoped(std::string_view package);

}  // namespace curupira::installer
