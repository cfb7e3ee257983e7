#include "cli/registry_access.h"

#include <algorithm>
#include <system_error>

#include "base/printable.h"
#include "cli/policy_file.h"
#include "cli/settings_file.h"

namespace curupira::cli {

namespace fs = std::filesystem;

RegistryAccess::RegistryAccess(const Invocation& invocation, Terminal& terminal, bool offline)
    : files_(make_posix_file_system()),
      diagnostics_(terminal, invocation.common.log_level == manifest::LogLevel::debug),
      http_(offline ? nullptr
                    : make_curl_http_client(invocation.environment, {.diagnostics = &diagnostics_})),
      tools_{.environment = invocation.environment,
             .home = invocation.home,
             .current_folder = invocation.current_folder,
             .files = *files_,
             .http = http_.get(),
             .processes = processes_,
             .clock = &clock_} {}

void RegistryAccess::keep_to(const manifest::Policy& policy) {
  tools_.metadata_age = metadata_age(policy);
}

const manifest::RegistrySettings* RegistriesFile::find(const std::string& name) const {
  const auto found = std::ranges::find(registries, name, &manifest::RegistrySettings::name);
  return found == registries.end() ? nullptr : &*found;
}

Result<RegistriesFile> read_registries(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                       Diagnostics& diagnostics) {
  RegistriesFile result{.file = (invocation.current_folder / settings_path(invocation)).lexically_normal()};
  auto text = files.read_file(result.file, manifest::max_settings_bytes);
  if (!text && text.error().code() == ErrorCode::file_not_found) {
    if (!invocation.common.config) return result;
    return fail(ErrorCode::settings_missing, printable(result.file.string()));
  }
  if (!text) return fail(std::move(text).error().while_doing("reading the settings"));
  CURUPIRA_TRY(result.registries, manifest::parse_registries(*text, result.file,
                                                             settings_folders(invocation).home, diagnostics));
  result.text = *std::move(text);
  return result;
}

Result<RegistriesChange> RegistriesChange::begin(const Invocation& invocation, FileSystem& files,
                                                 Diagnostics& diagnostics) {
  CURUPIRA_CHECK(files.create_folders(invocation.home.trust()));
  CURUPIRA_TRY(FileLock lock,
               FileLock::acquire(invocation.home.trust() / "settings.lock", FileLock::Mode::exclusive));
  CURUPIRA_TRY(RegistriesFile before, read_registries(invocation, files, diagnostics));
  return RegistriesChange(files, std::move(lock), std::move(before));
}

Result<> RegistriesChange::write(std::string_view text) {
  if (!before_.text) return write_file_atomically(files_, before_.file, text);
  std::error_code error;
  const fs::path file = fs::canonical(before_.file, error);
  if (error) return fail(ErrorCode::file_failed, printable(before_.file.string()) + ": " + error.message());
  CURUPIRA_TRY(const auto status, files_.status(file));
  return write_file_atomically(files_, file, text, status ? status->mode : 0644);
}

}  // namespace curupira::cli
