#pragma once

#include <set>
#include <string>

#include "base/diagnostics.h"
#include "installer/bundle.h"
#include "installer/installer.h"
#include "registry/carrier.h"

namespace curupira::installer {

/// What a bundle has of a curupira registry: its metadata as it was when the bundle was made, the indexes of
/// the packages in it, and their files. The bundle has to outlive it.
class BundledRegistry final : public registry::Carrier {
 public:
  BundledRegistry(const Bundle& bundle, std::string registry)
      : bundle_(bundle), registry_(std::move(registry)) {}

  std::string name() const override { return "the bundle's copy of the registry " + registry_; }
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;
  bool is_carried() const override { return true; }

 private:
  const Bundle& bundle_;
  std::string registry_;
};

/// The registries whose metadata the bundle has.
std::set<std::string> registries_of(const BundleContents& contents);

/// Updates what is trusted of the bundle's registries from the bundle, with the checks of any update: nothing
/// older than what was seen, nothing expired, nothing older than the policy allows. From then on the command
/// asks the bundle instead of these registries, and what is locked has to be what they say. Errors:
/// tuf_rollback, tuf_expired, registry_stale, root_unconfirmed, registry_unknown and others of
/// RegistryClient; lock_mismatch.
Result<> read_bundled_registries(const InstallerTools& tools, const Bundle& bundle, const Store& store,
                                 Diagnostics& diagnostics);

}  // namespace curupira::installer
