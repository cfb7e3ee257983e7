#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "base/url.h"
#include "registry/npm_configuration.h"
#include "registry/npm_registry.h"
#include "registry/sources.h"

namespace curupira::registry {

/// An npm tarball that a lock file names.
struct LockedTarball {
  std::string package;
  std::string version;
  std::string file_name;
};

/// Where locked tarballs are today, in the registries of this machine: npm itself is not needed.
class LockedNpm {
 public:
  LockedNpm(const SourceTools& tools, NpmConfiguration configuration)
      : configuration_(std::move(configuration)), registry_(tools, configuration_) {}
  LockedNpm(const LockedNpm&) = delete;
  LockedNpm& operator=(const LockedNpm&) = delete;

  /// Where nearly all registries have it; costs no request. Errors: those of registry_of.
  Result<Url> usual_address(const LockedTarball& tarball);
  /// What the registries themselves say, in the order of `tarballs`. Errors: those of packuments;
  /// version_not_found.
  Result<std::vector<Url>> published_addresses(std::span<const LockedTarball> tarballs);

  std::shared_ptr<const CredentialSource> credentials() const { return configuration_.credentials(); }
  std::string logical_source(std::string_view package) const {
    return configuration_.logical_source(package);
  }

 private:
  NpmConfiguration configuration_;
  NpmRegistry registry_;
};

}  // namespace curupira::registry
