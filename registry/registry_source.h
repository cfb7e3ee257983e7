#pragma once

#include "registry/source.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The registries of the settings, each with the packages that belong to it. What one of them does not have,
/// or does not give, is asked of no other source.
class RegistrySource final : public Source {
 public:
  explicit RegistrySource(const SourceTools& tools) : tools_(tools) {}
  bool handles(const Reference& reference) const override {
    return std::holds_alternative<RegistryReference>(reference);
  }
  /// Errors: registry_unknown, package_unlisted, release_yanked, policy_age, policy_yanked; those of
  /// RegistryClient.
  Result<Resolution> resolve(const Reference& reference, const manifest::Platform& platform,
                             Diagnostics& diagnostics) override;

 private:
  SourceTools tools_;
};

}  // namespace curupira::registry
