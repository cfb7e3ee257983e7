#include "cli/lock_settings.h"

#include "base/printable.h"
#include "cli/settings_file.h"
#include "installer/lock_file.h"

namespace curupira::cli {

Result<std::optional<manifest::Settings>> settings_in_use(const Invocation& invocation,
                                                          const ReadOnlyFileSystem& files,
                                                          Diagnostics& diagnostics) {
  auto settings = read_settings(invocation, files, diagnostics, manifest::SettingsUse::installing);
  if (settings) return std::optional(*std::move(settings));
  // A file that the user names has to be there: its policy may be what they rely on.
  if (settings.error().code() == ErrorCode::settings_missing && !invocation.common.config)
    return std::optional<manifest::Settings>();
  return fail(std::move(settings).error());
}

std::filesystem::path lock_path(const Invocation& invocation) {
  const auto settings = (invocation.current_folder / settings_path(invocation)).lexically_normal();
  return settings.parent_path() / installer::lock_file_name;
}

installer::LockPlace lock_place(const Invocation& invocation,
                                const std::optional<manifest::Settings>& settings) {
  installer::LockPlace place{.file = lock_path(invocation)};
  if (settings) place.platforms = settings->lock_platforms;
  return place;
}

Result<manifest::Platform> platform_of(const std::optional<std::string>& given) {
  if (!given) return manifest::Platform::current();
  auto platform = manifest::Platform::parse(*given);
  if (platform && platform->is_known()) return platform;
  return fail(Error(ErrorCode::lock_platform, "\"" + printable(*given) + "\" is no platform")
                  .with_help("write it as <os>-<arch>: \"linux-x86_64\", \"darwin-arm64\""));
}

}  // namespace curupira::cli
