#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "registry/npm_keys.h"
#include "registry/npm_registry.h"
#include "registry/packument.h"
#include "registry/resolution.h"

namespace curupira::registry {

/// Adds what npm registries signed to the proofs of artifacts. Nothing is checked here but that the key is
/// one that the registry publishes: whether a signature holds is seen when the bytes are there
/// (installer/verified_artifact.h).
class NpmSignatures {
 public:
  NpmSignatures(const SourceTools& tools, NpmRegistry& registry, const NpmConfiguration& configuration)
      : registry_(registry), keys_(tools, configuration.credentials()) {}

  /// Packages of registries that publish no keys stay as they are. `known`: packuments that are there
  /// already; the others are asked for, many at a time, and only where keys are published. A package without
  /// a signature where there are keys is a warning. Errors: signature_invalid for a key that the registry
  /// does not publish; those of NpmKeys and of NpmRegistry.
  Result<> add_to(std::span<Artifact> artifacts, const std::map<std::string, Packument, std::less<>>& known,
                  Diagnostics& diagnostics);

 private:
  struct Signed {
    Artifact* artifact;
    Url registry;
    const NpmKeySet* keys;
    PackageRelease release = {};
  };
  Result<std::vector<Signed>> under_keys(std::span<Artifact> artifacts);
  Result<> describe(std::vector<Signed>& packages,
                    const std::map<std::string, Packument, std::less<>>& known);
  Result<> find_publish_times(std::vector<Signed>& packages);
  Result<> add_signatures(const Signed& package);

  NpmRegistry& registry_;
  NpmKeys keys_;
};

/// The same for artifacts of which only names, versions and digests are known, as in a lock file.
Result<> add_npm_signatures(const SourceTools& tools, std::span<Artifact> artifacts,
                            Diagnostics& diagnostics);

}  // namespace curupira::registry
