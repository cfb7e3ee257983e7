#include <ostream>

#include "base/file_system.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/lock_settings.h"
#include "cli/plan_text.h"
#include "cli/progress.h"
#include "cli/references.h"
#include "cli/report.h"
#include "installer/installer.h"

namespace curupira::cli {
namespace {

using installer::InstallPlan;

void print_json(Terminal& terminal, const InstallPlan& plan, bool installed) {
  json::Object document;
  document.set("schema", "curupira.plugins.install.v1");
  document.set("installed", installed);
  document.set("plan", plan_to_json(plan));
  terminal.out() << json::write_pretty(document);
}

/// The consent that a change needs: --yes, or a person's answer.
Result<> ask_consent(const InstallArguments& arguments, const InstallPlan& plan, Terminal& terminal) {
  if (arguments.yes || !plan.changes_something()) return {};
  if (!terminal.can_ask()) return fail(ErrorCode::consent_needed);
  if (!terminal.ask("Install?")) return fail(ErrorCode::declined);
  return {};
}

}  // namespace

Result<int> install_command(const Invocation& invocation, const InstallArguments& arguments,
                            Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CollectedDiagnostics ignored;  // `validate` says what of the settings is doubtful
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, ignored));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const Installation installation(invocation, *files, settings, std::move(platform), false, diagnostics);
  CURUPIRA_TRY(const auto references,
               read_references(arguments.references, *installation.tools().source_tools));
  InstallProgress progress(terminal, installation.clock());

  installer::InstallOptions options = installation.options();
  options.allow_unsandboxed_probe = arguments.probe_unsandboxed;
  options.prefer_cache = arguments.prefer_cache;
  auto prepared =
      installer::prepare_install(installation.tools(), references, options, diagnostics, progress);
  progress.clear();
  if (!prepared) return fail(std::move(prepared).error());
  const InstallPlan plan = prepared->plan();

  if (!invocation.common.json) print_plan(terminal, plan);
  if (arguments.dry_run) {
    if (invocation.common.json) print_json(terminal, plan, false);
    return 0;
  }
  CURUPIRA_CHECK(ask_consent(arguments, plan, terminal));
  CURUPIRA_CHECK(std::move(*prepared).commit(progress));
  progress.clear();
  if (invocation.common.json)
    print_json(terminal, plan, true);
  else
    print_outcome(terminal, plan);
  return 0;
}

}  // namespace curupira::cli
