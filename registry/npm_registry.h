#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/url.h"
#include "registry/npm_configuration.h"
#include "registry/packument.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The two forms in which npm registries describe packages.
enum class PackumentForm {
  abbreviated,  ///< what an installation needs
  full          ///< with the times of publishing, and many times larger
};

/// Asks npm registries about packages, each the one that it belongs to and no other.
class NpmRegistry {
 public:
  NpmRegistry(const SourceTools& tools, const NpmConfiguration& configuration)
      : tools_(tools), configuration_(configuration) {}

  /// The registry of a package. Errors: url_invalid, and those of npm_default_registry.
  Result<Url> registry_of(std::string_view package);
  /// What the registries say of each package, in the order of `packages`; all requests at once.
  /// Errors: package_not_found, credentials_refused, registry_unreadable, those of the network.
  Result<std::vector<Packument>> packuments(std::span<const std::string> packages,
                                            PackumentForm form = PackumentForm::abbreviated);

 private:
  Error explain(Error error, const std::string& package, const Url& registry, const Url& url) const;

  const SourceTools& tools_;
  const NpmConfiguration& configuration_;
  std::optional<Url> default_registry_;
};

/// "@acme/x" at 1.2.3 → "x-1.2.3.tgz", as npm names tarballs. Made from checked parts, never taken from an
/// address.
std::string npm_tarball_name(std::string_view package, std::string_view version);

/// The address of a release's tarball. Error: registry_unreadable when the registry gives none.
Result<Url> tarball_url(const PackageRelease& release, const Url& registry);

}  // namespace curupira::registry
