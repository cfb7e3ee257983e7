#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_lock.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "base/process_runner.h"
#include "cli/command.h"
#include "cli/report.h"
#include "manifest/policy.h"
#include "manifest/registry_settings.h"
#include "registry/sources.h"

namespace curupira::cli {

/// What a command is made of that speaks with registries as their user, and installs nothing.
class RegistryAccess {
 public:
  /// `offline`: there is no HTTP client at all.
  RegistryAccess(const Invocation& invocation, Terminal& terminal, bool offline);
  RegistryAccess(const RegistryAccess&) = delete;
  RegistryAccess& operator=(const RegistryAccess&) = delete;

  FileSystem& files() { return *files_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  const registry::SourceTools& tools() const { return tools_; }
  void keep_to(const manifest::Policy& policy);

 private:
  std::unique_ptr<FileSystem> files_;
  PrintedDiagnostics diagnostics_;
  SystemClock clock_;
  SystemProcessRunner processes_;
  std::unique_ptr<HttpClient> http_;
  registry::SourceTools tools_;
};

/// The settings file in use, as far as it is about registries.
struct RegistriesFile {
  std::filesystem::path file;            ///< absolute
  std::optional<std::string> text = {};  ///< nothing when there is no file
  std::vector<manifest::RegistrySettings> registries = {};

  /// Null when there is none.
  const manifest::RegistrySettings* find(const std::string& name) const;
};

/// A file that the command line names has to be there. Errors: settings_missing and those of
/// manifest::parse_registries.
Result<RegistriesFile> read_registries(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                       Diagnostics& diagnostics);

/// A change of the settings file in use, and of which registries are trusted: one command at a time.
class RegistriesChange {
 public:
  /// Waits for others, then reads the file.
  static Result<RegistriesChange> begin(const Invocation& invocation, FileSystem& files,
                                        Diagnostics& diagnostics);
  const RegistriesFile& before() const { return before_; }
  /// A link to the settings stays one, and the file keeps its mode.
  Result<> write(std::string_view text);

 private:
  RegistriesChange(FileSystem& files, FileLock lock, RegistriesFile before)
      : files_(files), lock_(std::move(lock)), before_(std::move(before)) {}
  FileSystem& files_;
  FileLock lock_;
  RegistriesFile before_;
};

}  // namespace curupira::cli
