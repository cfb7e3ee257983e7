#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "cli/command.h"
#include "cli/passphrases.h"
#include "cli/registry_arguments.h"
#include "cli/report.h"
#include "registry/repository.h"

namespace curupira::cli {

/// What a command that works on a registry is made of.
class RegistrySession {
 public:
  /// Errors: those of the keys that are named; passphrase_unusable.
  static Result<std::unique_ptr<RegistrySession>> open(const Invocation& invocation,
                                                       const RegistryPlaceArguments& place,
                                                       Terminal& terminal);
  RegistrySession(const RegistrySession&) = delete;
  RegistrySession& operator=(const RegistrySession&) = delete;

  const registry::RepositoryTools& tools() const { return tools_; }
  const registry::RepositoryPlace& place() const { return place_; }
  registry::SigningKeys& keys() { return keys_; }
  FileSystem& files() { return *files_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  /// Ids of the keys that were named with --key, in their order.
  const std::vector<tuf::Key>& given_keys() const { return given_; }

  /// `command` is what others read who are kept away: "publish".
  Result<registry::Repository> open_for_change(const std::string& command);
  Result<registry::Repository> open_to_read() { return registry::Repository::open_to_read(tools_, place_); }
  /// A name in the folder of keys that nothing has: "online-2.pem".
  Result<std::filesystem::path> new_key_file(const std::string& role);

 private:
  RegistrySession(const Invocation& invocation, const RegistryPlaceArguments& arguments, Terminal& terminal,
                  Passphrases passphrases);

  const Invocation& invocation_;
  Terminal& terminal_;
  bool wait_;
  std::unique_ptr<FileSystem> files_;
  SystemClock clock_;
  PrintedDiagnostics diagnostics_;
  Passphrases passphrases_;
  registry::SigningKeys keys_;
  registry::RepositoryPlace place_;
  registry::RepositoryTools tools_;
  std::vector<tuf::Key> given_;
};

/// "`registry publish` by anna on build1, process 4711": for others, who are kept away.
std::string who_changes(const std::string& command, const Environment& environment);

/// `path` from the current folder, without '.' and a '/' at the end.
std::filesystem::path absolute_path(const Invocation& invocation, const std::filesystem::path& path);

}  // namespace curupira::cli
