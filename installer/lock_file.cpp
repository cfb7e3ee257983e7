#include "installer/lock_file.h"

#include <algorithm>
#include <tuple>

namespace curupira::installer {
namespace {

auto order_of(const LockedArtifact& artifact) {
  return std::tie(artifact.package, artifact.version, artifact.file, artifact.digest, artifact.locations);
}

}  // namespace

bool LockedArtifact::is_for(const manifest::Platform& platform) const {
  return platforms.empty() || std::ranges::binary_search(platforms, platform);
}

const LockedExtension* LockFile::find(std::string_view name) const {
  const auto found = std::ranges::find(extensions, name, &LockedExtension::name);
  return found == extensions.end() ? nullptr : &*found;
}

void LockFile::put(LockedExtension extension) {
  const auto place = std::ranges::lower_bound(extensions, extension.name, {}, &LockedExtension::name);
  if (place != extensions.end() && place->name == extension.name)
    *place = std::move(extension);
  else
    extensions.insert(place, std::move(extension));
}

bool LockFile::remove(std::string_view name) {
  return std::erase_if(extensions, [&](const LockedExtension& each) { return each.name == name; }) > 0;
}

bool LockFile::has(const manifest::Platform& platform) const {
  return std::ranges::binary_search(platforms, platform);
}

void normalize(std::vector<LockedArtifact>& artifacts, const std::vector<manifest::Platform>& platforms) {
  for (auto& artifact : artifacts) {
    std::ranges::sort(artifact.locations);
    std::ranges::sort(artifact.platforms);
  }
  std::ranges::sort(artifacts, {}, order_of);
  std::vector<LockedArtifact> merged;
  for (auto& artifact : artifacts) {
    if (merged.empty() || order_of(merged.back()) != order_of(artifact)) {
      merged.push_back(std::move(artifact));
      continue;
    }
    auto& known = merged.back().platforms;
    if (known.empty() || artifact.platforms.empty()) {
      known.clear();
      continue;
    }
    known.insert(known.end(), artifact.platforms.begin(), artifact.platforms.end());
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
  }
  for (auto& artifact : merged)
    if (std::ranges::includes(artifact.platforms, platforms)) artifact.platforms.clear();
  artifacts = std::move(merged);
}

}  // namespace curupira::installer
