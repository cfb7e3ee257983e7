#pragma once

#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "base/file_system.h"
#include "cli/command.h"
#include "installer/lock_place.h"
#include "manifest/settings.h"

namespace curupira::cli {

/// The settings in use, or nothing where there is no file. Errors: those of parse_settings.
Result<std::optional<manifest::Settings>> settings_in_use(const Invocation& invocation,
                                                          const ReadOnlyFileSystem& files,
                                                          Diagnostics& diagnostics);

/// Beside the settings file in use.
std::filesystem::path lock_path(const Invocation& invocation);

/// The lock file, and the platforms that the settings want it for.
installer::LockPlace lock_place(const Invocation& invocation,
                                const std::optional<manifest::Settings>& settings);

/// --platform, or the one that this program runs on. Error: lock_platform for one that nobody has.
Result<manifest::Platform> platform_of(const std::optional<std::string>& given);

}  // namespace curupira::cli
