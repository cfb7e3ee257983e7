#include "registry/locked_npm.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::registry {

Result<Url> LockedNpm::usual_address(const LockedTarball& tarball) {
  CURUPIRA_TRY(const Url registry, registry_.registry_of(tarball.package));
  return registry.resolve("./" + tarball.package + "/-/" + percent_encode(tarball.file_name));
}

Result<std::vector<Url>> LockedNpm::published_addresses(std::span<const LockedTarball> tarballs) {
  std::vector<std::string> names;
  for (const auto& tarball : tarballs)
    names.push_back(tarball.package);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  CURUPIRA_TRY(const auto packuments, registry_.packuments(names));
  std::vector<Url> addresses;
  for (const auto& tarball : tarballs) {
    const auto index = std::ranges::lower_bound(names, tarball.package) - names.begin();
    const auto release = packuments[static_cast<std::size_t>(index)].find(tarball.version);
    CURUPIRA_TRY(const Url registry, registry_.registry_of(tarball.package));
    if (!release)
      return fail(ErrorCode::version_not_found, registry.to_string() + " does not have " +
                                                    printable(tarball.package) + "@" +
                                                    printable(tarball.version));
    CURUPIRA_TRY(Url address, tarball_url(*release, registry));
    addresses.push_back(std::move(address));
  }
  return addresses;
}

}  // namespace curupira::registry
