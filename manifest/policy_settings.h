#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "manifest/policy.h"
#include "manifest/settings.h"
#include "manifest/table_reader.h"

namespace curupira::manifest {

/// `[policy]` of the document `root` is of; an empty policy when there is none. Unlike elsewhere, an unknown
/// key is an error here, as is a table that is nearly called so: a rule that is misspelt must not be silently
/// off. Error: settings_field.
Result<Policy> read_policy(TableReader& root, const SettingsFolders& folders);

/// The policy of a settings file; the other tables are not looked at, so that a file with a policy alone
/// binds `plugins install`. Errors: settings_syntax, settings_field.
Result<Policy> parse_policy(std::string_view text, const std::filesystem::path& file,
                            const SettingsFolders& folders, Diagnostics& diagnostics);

}  // namespace curupira::manifest
