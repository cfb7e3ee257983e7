#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "registry/registry_client.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The registries that one command asks: each is updated once.
class RegistryClients {
 public:
  /// Both have to outlive it, and all clients that it gave.
  RegistryClients(const SourceTools& tools, Diagnostics& diagnostics)
      : tools_(tools), diagnostics_(diagnostics) {}

  /// From now on the carrier is asked instead of the registry's address.
  void offer(const std::string& name, std::shared_ptr<Carrier> carrier);
  /// Errors: registry_unknown, with the nearest name; those of RegistryClient::open.
  Result<std::shared_ptr<RegistryClient>> open(const std::string& name);

 private:
  const SourceTools& tools_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::shared_ptr<RegistryClient>> clients_;
  std::map<std::string, std::shared_ptr<Carrier>> offered_;
};

/// The registry is one of the settings. Error: registry_unknown, with the nearest name: of a registry, or of
/// another source ("npm:" for "nmp:").
Result<> check_registry_known(const SourceTools& tools, const std::string& name);

/// What a word means that says of no registry: "package" or "package@range". It counts when exactly one
/// registry of the settings has such a package; who does not answer may have it, too. Errors:
/// reference_syntax when the text is no such word; package_ambiguous, package_unlisted; those of
/// RegistryClients::open and RegistryClient::find.
Result<RegistryReference> find_bare_package(const SourceTools& tools, std::string_view text);

}  // namespace curupira::registry
