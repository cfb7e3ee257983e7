#include "installer/sync.h"

#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/lock_settings.h"
#include "cli/plan_text.h"
#include "cli/progress.h"
#include "cli/report.h"

namespace curupira::cli {
namespace {

void print_json(Terminal& terminal, const std::string& command, const installer::InstallPlan& plan,
                bool lock_changed, bool done) {
  json::Object document;
  document.set("schema", "curupira.plugins." + command + ".v1");
  document.set("done", done);
  document.set("lockChanged", lock_changed);
  document.set("plan", plan_to_json(plan));
  terminal.out() << json::write_pretty(document);
}

}  // namespace

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
  const auto plan = prepared->plan();
  const bool lock_changes = prepared->changes_lock();
  if (!invocation.common.json) print_plan(terminal, plan);
  if (!arguments.dry_run) {
    // What the lock file says was agreed to when it was written; what it did not have was not.
    if (lock_changes && !arguments.yes) {
      if (!terminal.can_ask()) return fail(ErrorCode::consent_needed);
      if (!terminal.ask("Install, and write the lock file?")) return fail(ErrorCode::declined);
    }
    CURUPIRA_CHECK(std::move(*prepared).commit(progress));
    progress.clear();
  }
  if (invocation.common.json)
    print_json(terminal, "sync", plan, lock_changes, !arguments.dry_run);
  else if (!arguments.dry_run)
    print_outcome(terminal, plan);
  return 0;
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
    print_json(terminal, "lock", plan, changed, true);
    return 0;
  }
  for (const auto& extension : plan.extensions)
    terminal.out() << "Locked " << printable(extension.name) << ' ' << printable(extension.version) << '\n';
  terminal.out() << (changed ? "Wrote " : "No change in ") << printable(lock_path(invocation).string())
                 << '\n';
  return 0;
}

}  // namespace curupira::cli
