#pragma once

#include "registry/source.h"
#include "registry/sources.h"

namespace curupira::registry {

/// One archive: a file of this machine, or an address together with its digest.
class ArchiveSource final : public Source {
 public:
  explicit ArchiveSource(const SourceTools& tools) : tools_(tools) {}
  bool handles(const Reference& reference) const override {
    return std::holds_alternative<ArchiveReference>(reference);
  }
  /// Errors: file_not_found, file_failed, artifact_too_large; digest_mismatch for a file that is not the one
  /// asked for; integrity_missing for an address without a digest.
  Result<Resolution> resolve(const Reference& reference, const manifest::Platform& platform,
                             Diagnostics& diagnostics) override;

 private:
  SourceTools tools_;
};

}  // namespace curupira::registry
