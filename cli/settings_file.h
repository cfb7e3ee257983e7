#pragma once

#include "base/diagnostics.h"
#include "base/file_system.h"
#include "cli/command.h"
#include "manifest/settings.h"

namespace curupira::cli {

/// The settings that the command line names, else those of the home (spec/settings.md). Errors:
/// settings_missing and those of parse_settings.
Result<manifest::Settings> read_settings(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                         Diagnostics& diagnostics,
                                         manifest::SettingsUse use = manifest::SettingsUse::running);

/// Where "~" and the defaults of settings are.
manifest::SettingsFolders settings_folders(const Invocation& invocation);

/// The file as the user gave it, for messages.
std::filesystem::path settings_path(const Invocation& invocation);

}  // namespace curupira::cli
