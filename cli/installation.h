#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "base/process_runner.h"
#include "cli/command.h"
#include "cli/lock_settings.h"
#include "installer/installer.h"
#include "installer/sync.h"
#include "manifest/settings.h"
#include "registry/registry_clients.h"
#include "registry/sources.h"

namespace curupira::cli {

/// Everything that a command which installs works with, made for one start of the program.
class Installation {
 public:
  /// `offline`: there is no HTTP client at all. `settings` have to outlive it.
  Installation(const Invocation& invocation, FileSystem& files,
               const std::optional<manifest::Settings>& settings, manifest::Platform platform, bool offline,
               Diagnostics& diagnostics)
      : Installation(invocation, files, lock_place(invocation, settings),
                     settings ? &settings->policy : nullptr, settings ? &settings->registries : nullptr,
                     std::move(platform), offline, diagnostics) {}
  /// For this machine and without a lock file. `policy` and `registries` have to outlive it; nothing for no
  /// rule and for none.
  Installation(const Invocation& invocation, FileSystem& files, const manifest::Policy* policy,
               const std::vector<manifest::RegistrySettings>* registries, Diagnostics& diagnostics)
      : Installation(invocation, files, std::nullopt, policy, registries, manifest::Platform::current(),
                     false, diagnostics) {}
  Installation(const Installation&) = delete;
  Installation& operator=(const Installation&) = delete;

  const installer::InstallerTools& tools() const { return tools_; }
  const Clock& clock() const { return clock_; }
  /// With the lock file and the policy.
  installer::InstallOptions options() const { return {.lock = lock_, .policy = policy_}; }

 private:
  Installation(const Invocation& invocation, FileSystem& files, std::optional<installer::LockPlace> lock,
               const manifest::Policy* policy, const std::vector<manifest::RegistrySettings>* registries,
               manifest::Platform platform, bool offline, Diagnostics& diagnostics);

  std::optional<installer::LockPlace> lock_;
  const manifest::Policy* policy_;
  SystemClock clock_;
  SystemProcessRunner processes_;
  std::unique_ptr<HttpClient> http_;
  registry::SourceTools source_tools_;
  registry::RegistryClients registry_clients_;
  std::vector<std::unique_ptr<registry::Source>> sources_;
  installer::InstallerTools tools_;
};

/// The extensions that [plugins.*] of the settings name. What npx or uvx would take from an address or a
/// folder is passed over with a warning: that is no package of a registry.
std::vector<installer::WantedExtension> wanted_extensions(const std::optional<manifest::Settings>& settings,
                                                          Diagnostics& diagnostics);

/// What was done to a plan that was shown: a line for each extension that changed.
void print_outcome(Terminal& terminal, const installer::InstallPlan& plan);

}  // namespace curupira::cli
