#include "installer/lock_python.h"

#include <algorithm>

namespace curupira::installer {

std::vector<LockedArtifact> locked_python(const registry::PythonLock& lock) {
  std::vector<LockedArtifact> artifacts;
  for (const auto& package : lock.packages)
    for (const auto& file : package.files)
      artifacts.push_back({.package = package.name,
                           .version = package.version,
                           .file = file.name,
                           .size = file.size,
                           .digest = file.sha256,
                           .marker = package.marker});
  return artifacts;
}

registry::PythonLock python_lock_of(const LockedExtension& extension, const std::string& root) {
  registry::PythonLock lock{.root = root, .version = {}, .python = extension.python, .packages = {}};
  for (const auto& artifact : extension.artifacts) {
    if (artifact.digest.algorithm() != DigestAlgorithm::sha256 || artifact.tree) continue;
    const auto same = [&](const registry::LockedPythonPackage& package) {
      return package.name == artifact.package && package.version == artifact.version &&
             package.marker == artifact.marker;
    };
    auto package = std::ranges::find_if(lock.packages, same);
    if (package == lock.packages.end())
      package = lock.packages.insert(
          package,
          {.name = artifact.package, .version = artifact.version, .marker = artifact.marker, .files = {}});
    package->files.push_back({.name = artifact.file, .sha256 = artifact.digest, .size = artifact.size});
    if (artifact.package == root) lock.version = artifact.version;
  }
  return lock;
}

}  // namespace curupira::installer
