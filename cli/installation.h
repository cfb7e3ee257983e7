#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "base/process_runner.h"
#include "cli/command.h"
#include "installer/installer.h"
#include "installer/sync.h"
#include "manifest/settings.h"
#include "registry/sources.h"

namespace curupira::cli {

/// Everything that a command which installs works with, made for one start of the program.
class Installation {
 public:
  /// `offline`: there is no HTTP client at all.
  Installation(const Invocation& invocation, FileSystem& files,
               const std::optional<manifest::Settings>& settings, manifest::Platform platform, bool offline,
               Diagnostics& diagnostics);
  Installation(const Installation&) = delete;
  Installation& operator=(const Installation&) = delete;

  const installer::InstallerTools& tools() const { return tools_; }
  const Clock& clock() const { return clock_; }
  /// With the lock file and the policy of the settings.
  installer::InstallOptions options() const;

 private:
  const Invocation& invocation_;
  const std::optional<manifest::Settings>& settings_;
  SystemClock clock_;
  SystemProcessRunner processes_;
  std::unique_ptr<HttpClient> http_;
  registry::SourceTools source_tools_;
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
