#include "installer/sync.h"

#include <ostream>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/lock_settings.h"
#include "cli/locked_change.h"
#include "cli/report.h"

namespace curupira::cli {
Result<int> sync_command(const Invocation& invocation, const SyncArguments& arguments, Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, diagnostics));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const Installation installation(invocation, *files, settings, std::move(platform), arguments.offline,
                                  diagnostics);
  InstallProgress progress(terminal, installation.clock());
  const installer::SyncOptions options{.install = installation.options(),
                                       .frozen = arguments.frozen,
                                       .wanted = wanted_extensions(settings, diagnostics)};
  auto prepared = installer::prepare_sync(installation.tools(), options, diagnostics, progress);
  progress.clear();
  if (!prepared) return fail(std::move(prepared).error());
  return carry_out(invocation,
                   {.schema = "curupira.plugins.sync.v1", .yes = arguments.yes, .dry_run = arguments.dry_run},
                   *std::move(prepared), progress, terminal);
}

Result<int> lock_command(const Invocation& invocation, const LockArguments& arguments, Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, diagnostics));
  CURUPIRA_TRY(auto platform, platform_of(arguments.platform));
  const Installation installation(invocation, *files, settings, std::move(platform), false, diagnostics);
  InstallProgress progress(terminal, installation.clock());
  const installer::SyncOptions options{.install = installation.options(),
                                       .wanted = wanted_extensions(settings, diagnostics)};
  auto prepared = installer::prepare_lock(installation.tools(), options, diagnostics, progress);
  progress.clear();
  if (!prepared) return fail(std::move(prepared).error());
  const auto plan = prepared->plan();
  CURUPIRA_TRY(const bool changed, std::move(*prepared).commit_lock());
  if (invocation.common.json) {
    print_locked_change(terminal, "curupira.plugins.lock.v1", plan, changed, true);
    return 0;
  }
  for (const auto& extension : plan.extensions)
    terminal.out() << "Locked " << printable(extension.name) << ' ' << printable(extension.version) << '\n';
  terminal.out() << (changed ? "Wrote " : "No change in ") << printable(lock_path(invocation).string())
                 << '\n';
  return 0;
}

}  // namespace curupira::cli
