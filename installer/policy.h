#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/limits.h"
#include "manifest/manifest.h"
#include "manifest/policy.h"
#include "manifest/receipt.h"
#include "registry/reference.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// `allow` and `deny`, before anything is resolved or fetched. `current_folder`: where relative paths start.
/// Error: policy_reference.
Result<> check_references(const manifest::Policy& policy, std::span<const registry::Reference> references,
                          const std::filesystem::path& current_folder);

/// `max_package_size` before anything is fetched: of the artifacts whose size is promised.
/// Error: policy_size.
Result<> check_promised_size(const manifest::Policy& policy, std::span<const registry::Artifact> artifacts);
/// `limits`, and no artifact alone larger than the policy allows.
FetchLimits limits_under(const manifest::Policy& policy, FetchLimits limits);
/// policy_size, when `error` comes from the limit that `limits_under` set.
Error explain_limit(const manifest::Policy& policy, const FetchLimits& limits, Error error);

/// Every rule, when the extension is known and not visible yet. Errors: 45xx.
Result<> check_prepared(const manifest::Policy& policy, const manifest::Manifest& manifest,
                        const manifest::Receipt& receipt);

/// Every rule, for an extension that is installed and stays as it is. Errors: 45xx.
Result<> check_kept(const manifest::Policy& policy, const ReadOnlyFileSystem& files, const HomeLayout& home,
                    const std::string& name);

}  // namespace curupira::installer
