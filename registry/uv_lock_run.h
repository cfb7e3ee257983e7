#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "registry/reference.h"
#include "registry/sources.h"

namespace curupira::registry {

/// What uv answers for a package.
struct UvLock {
  std::string pylock;            ///< the text of a pylock.toml
  std::filesystem::path folder;  ///< relative paths in it start here
};

/// What uv resolves for.
struct UvLockFor {
  std::filesystem::path interpreter;
  /// Set: for all platforms and every Python from this one ("3.11") on, else for the interpreter.
  std::string all_platforms_from = {};
};

/// Lets uv, as a resolver only, lock the package. Nothing is built and no Python is downloaded.
/// `environment` is uv's. Errors: tool_missing, tool_failed, package_not_found, version_not_found,
/// credentials_refused, network_unreachable, resolution_unsafe.
Result<UvLock> run_uv_lock(const SourceTools& tools, const Environment& environment,
                           const PipReference& package, const UvLockFor& target);

}  // namespace curupira::registry
