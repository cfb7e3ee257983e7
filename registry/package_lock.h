#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/relative_path.h"
#include "base/result.h"
#include "manifest/platform.h"

namespace curupira::registry {

/// One package of an npm lock file that has to be fetched.
struct LockedPackage {
  RelativePath location;  ///< "node_modules/a/node_modules/@acme/b"
  std::string name;       ///< in the registry; differs from the location's for an alias
  std::string version;    ///< semantic
  std::optional<std::string> resolved = {};
  std::optional<std::string> integrity = {};

  std::string label() const { return name + "@" + version; }
};

/// The packages of a package-lock.json (lockfileVersion 2 or 3) that `platform` needs, sorted by location.
/// Development packages, packages inside another's tarball and optional ones for other platforms are left
/// out. Errors: resolution_unreadable; resolution_unsafe (links, git, files); platform_missing for a needed
/// package that does not run here.
Result<std::vector<LockedPackage>> read_package_lock(std::string_view text,
                                                     const manifest::Platform& platform);

}  // namespace curupira::registry
