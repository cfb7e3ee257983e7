#pragma once

#include "base/diagnostics.h"
#include "base/result.h"
#include "manifest/platform.h"
#include "registry/reference.h"
#include "registry/resolution.h"

namespace curupira::registry {

/// Where packages come from. Resolving may ask registries and run npm or uv as resolvers; it never runs
/// package code.
class Source {
 public:
  virtual ~Source() = default;
  /// True when this source answers for the reference.
  virtual bool handles(const Reference& reference) const = 0;
  /// Errors: package_not_found, version_not_found, credentials_refused, registry_unreadable,
  /// integrity_missing, integrity_weak, resolution_unsafe, tool_missing, tool_failed, and those of the
  /// network.
  virtual Result<Resolution> resolve(const Reference& reference, const manifest::Platform& platform,
                                     Diagnostics& diagnostics) = 0;
};

}  // namespace curupira::registry
