#pragma once

#include "registry/source.h"
#include "registry/sources.h"

namespace curupira::registry {

/// A folder of this machine.
class FolderSource final : public Source {
 public:
  explicit FolderSource(const SourceTools& tools) : tools_(tools) {}
  bool handles(const Reference& reference) const override {
    return std::holds_alternative<PathReference>(reference);
  }
  /// Errors: file_not_found; reference_syntax when it is a file.
  Result<Resolution> resolve(const Reference& reference, const manifest::Platform& platform,
                             Diagnostics& diagnostics) override;

 private:
  SourceTools tools_;
};

}  // namespace curupira::registry
