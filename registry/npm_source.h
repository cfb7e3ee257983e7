#pragma once

#include "registry/source.h"
#include "registry/sources.h"

namespace curupira::registry {

/// npm registries. The registry is asked for the package; npm itself resolves only where there are
/// dependencies.
class NpmSource final : public Source {
 public:
  explicit NpmSource(const SourceTools& tools) : tools_(tools) {}
  bool handles(const Reference& reference) const override {
    return std::holds_alternative<NpmReference>(reference);
  }
  Result<Resolution> resolve(const Reference& reference, const manifest::Platform& platform,
                             Diagnostics& diagnostics) override;

 private:
  SourceTools tools_;
};

}  // namespace curupira::registry
