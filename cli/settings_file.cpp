#include "cli/settings_file.h"

namespace curupira::cli {

std::filesystem::path settings_path(const Invocation& invocation) {
  return invocation.common.config.value_or(invocation.home.settings());
}

manifest::SettingsFolders settings_folders(const Invocation& invocation) {
  return {.home = invocation.environment.get_or("HOME", invocation.home.root.string()),
          .curupira = invocation.home.root};
}

Result<manifest::Settings> read_settings(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                         Diagnostics& diagnostics, manifest::SettingsUse use) {
  const auto path = settings_path(invocation);
  const auto absolute = (invocation.current_folder / path).lexically_normal();
  auto text = files.read_file(absolute, manifest::max_settings_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found)
      return fail(ErrorCode::settings_missing, absolute.string());
    return fail(std::move(text).error().while_doing("reading the settings"));
  }
  return manifest::parse_settings(*text, absolute, settings_folders(invocation), diagnostics, use);
}

}  // namespace curupira::cli
