#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "base/result.h"
#include "registry/package_index.h"
#include "registry/reference.h"
#include "registry/registry_client.h"
#include "registry/resolution.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The version that the reference means: the highest of its range, releases before pre-releases, that was not
/// taken back and is old enough for the tools' rule. A newer one that was taken back is a warning. What is
/// locked is given also when it was taken back, with a warning. Errors: package_unlisted, release_yanked with
/// the reason, policy_age, policy_yanked.
Result<std::string> choose_release(const PackageIndex& index, const RegistryReference& wanted,
                                   const SourceTools& tools, Diagnostics& diagnostics);

/// Says that a locked version was taken back, and why. Error: policy_yanked, when the tools refuse it.
Result<> check_locked_release(const SourceTools& tools, const std::string& registry,
                              const PackageIndex& index, const std::string& version,
                              Diagnostics& diagnostics);

/// What vouches for the release's files.
Result<std::shared_ptr<const Vouching>> vouching_of(const SourceTools& tools, const std::string& registry,
                                                    const PackageRecord& record, const std::string& version);

/// What a file of a release is called in receipts and lock files: "@acme/x" for its archive, "@acme/x/FILE"
/// for what its launch table names. No package has such a name.
std::string artifact_package(const PackageName& package, const std::string& file, bool is_archive);
/// "@acme/x:FILE" for a file inside of its archive that its launch table names.
std::string inner_package(const std::string& package, const std::string& file);
bool is_inner_file(std::string_view artifact_package, const std::string& package);

}  // namespace curupira::registry
