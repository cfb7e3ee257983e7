#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "manifest/manifest.h"

namespace curupira::installer {

/// What a source resolved, which the manifest has to agree with.
struct ResolvedPackage {
  std::string source;  ///< "npm" or "pip"
  std::string package;
  std::string version;
  bool probed = false;  ///< the manifest was printed by the package itself: its name is checked, too
};

/// Errors: manifest_mismatch, which shows both sides.
Result<> check_agreement(const manifest::Manifest& manifest, const ResolvedPackage& resolved);

/// A release of a curupira registry: its manifest has the version, and the name, with or without the scope.
/// Error: manifest_mismatch, which shows both sides.
Result<> check_release_agreement(const manifest::Manifest& manifest, const std::string& package,
                                 const std::string& version);

/// True when both mean one version: semantic for npm, PEP 440 for pip ("1.2.0rc1" is 1.2.0-rc.1).
bool same_version(std::string_view source, std::string_view a, std::string_view b);

}  // namespace curupira::installer
