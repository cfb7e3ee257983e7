#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "manifest/platform.h"

namespace curupira::registry {

/// The members `os`, `cpu` and `libc` of an npm package: where it runs. Empty lists mean everywhere; "!x"
/// excludes x.
struct NpmPlatformRule {
  std::vector<std::string> os, cpu, libc;

  /// Members of another type are left out, as npm does.
  static NpmPlatformRule read(const json::Value& package);
  bool admits(const manifest::Platform& platform) const;
  std::string to_string() const;  ///< "os darwin, cpu x64 or arm64", printable
};

}  // namespace curupira::registry
