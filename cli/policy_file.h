#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/file_system.h"
#include "cli/command.h"
#include "manifest/policy.h"
#include "registry/metadata_age.h"
#include "registry/release_age.h"

namespace curupira::cli {

/// The `[policy]` of the settings in use, and nothing else of them; empty where there is no file. Errors:
/// those of manifest::parse_policy.
Result<manifest::Policy> read_policy(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                     Diagnostics& diagnostics);

/// What the policy says of the age of what may be chosen now; nothing when it says nothing.
std::optional<registry::ReleaseAge> release_age(const manifest::Policy& policy, const Clock& clock);

/// How long metadata of registries may be used offline; nothing when the policy does not say.
std::optional<registry::MetadataAge> metadata_age(const manifest::Policy& policy);

/// `allow_yanked = false` with its place; nothing when what was taken back may be chosen.
std::optional<std::string> yanked_rule(const manifest::Policy& policy);

}  // namespace curupira::cli
