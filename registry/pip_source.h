#pragma once

#include "registry/source.h"
#include "registry/sources.h"

namespace curupira::registry {

/// Python package indexes, resolved by uv. Only wheels: building a package would run its code.
class PipSource final : public Source {
 public:
  explicit PipSource(const SourceTools& tools) : tools_(tools) {}
  bool handles(const Reference& reference) const override {
    return std::holds_alternative<PipReference>(reference);
  }
  Result<Resolution> resolve(const Reference& reference, const manifest::Platform& platform,
                             Diagnostics& diagnostics) override;

 private:
  SourceTools tools_;
};

}  // namespace curupira::registry
