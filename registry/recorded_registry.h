#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/diagnostics.h"
#include "base/digest.h"
#include "registry/package_name.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The files of a registry that a client reads on its way to some packages, from the first root on: whoever
/// has them comes there without the registry.
struct RecordedRegistry {
  std::map<std::string, std::string> metadata = {};  ///< by file name
  std::map<std::string, std::string> targets = {};   ///< by path
};

/// Goes the way as a client that trusts nothing but the first root, which has to have this fingerprint.
/// `scratch`: an empty folder. Errors: package_unlisted; root_fingerprint; tuf_*; offline_missing; those of
/// the carrier.
Result<RecordedRegistry> record_registry(const SourceTools& tools, const manifest::RegistrySettings& settings,
                                         const Digest& first_root, const std::set<PackageName>& packages,
                                         const std::filesystem::path& scratch, Diagnostics& diagnostics);

}  // namespace curupira::registry
