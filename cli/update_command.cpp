#include "installer/update.h"

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

/// A change of permissions or a lower level is never a side effect: it is named, and --yes alone is not it.
Result<> ask_consent(const UpdateArguments& arguments, const installer::InstallPlan& plan,
                     const std::vector<std::string>& changes, Terminal& terminal) {
  if (!plan.changes_something()) return {};
  std::string list;
  for (const auto& change : changes)
    list += (list.empty() ? "" : "\n") + change;
  if (!changes.empty() && !arguments.accept_changes) {
    if (arguments.yes || !terminal.can_ask())
      return fail(Error(ErrorCode::consent_needed, list)
                      .with_help("read the plan; `--yes --accept-changes` accepts this as well"));
    terminal.err() << list << '\n';
  }
  if (arguments.yes) return {};
  if (!terminal.can_ask()) return fail(ErrorCode::consent_needed);
  if (!terminal.ask("Update?")) return fail(ErrorCode::declined);
  return {};
}

}  // namespace

Result<int> update_command(const Invocation& invocation, const UpdateArguments& arguments,
                           Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, diagnostics));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const Installation installation(invocation, *files, settings, std::move(platform), false, diagnostics);
  InstallProgress progress(terminal, installation.clock());
  auto prepared = installer::prepare_update(installation.tools(), arguments.names, installation.options(),
                                            diagnostics, progress);
  progress.clear();
  if (!prepared) return fail(std::move(prepared).error());
  const auto plan = prepared->plan();
  const auto changes = installer::changes_to_accept(plan);
  if (!invocation.common.json) print_plan(terminal, plan);
  if (!arguments.dry_run && !plan.extensions.empty()) {
    CURUPIRA_CHECK(ask_consent(arguments, plan, changes, terminal));
    CURUPIRA_CHECK(std::move(*prepared).commit(progress));
    progress.clear();
  }
  if (invocation.common.json) {
    json::Object document;
    document.set("schema", "curupira.plugins.update.v1");
    document.set("done", !arguments.dry_run);
    document.set("changesToAccept", json::Array(changes.begin(), changes.end()));
    document.set("plan", plan_to_json(plan));
    terminal.out() << json::write_pretty(document);
  } else if (plan.extensions.empty()) {
    terminal.out() << "No extension is installed: nothing to update\n";
  } else if (!arguments.dry_run) {
    print_outcome(terminal, plan);
  }
  return 0;
}

Result<int> outdated_command(const Invocation& invocation, const OutdatedArguments&, Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, diagnostics));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const Installation installation(invocation, *files, settings, std::move(platform), false, diagnostics);
  InstallProgress progress(terminal, installation.clock());
  auto outdated = installer::find_outdated(installation.tools(), diagnostics, progress);
  progress.clear();
  if (!outdated) return fail(std::move(outdated).error());
  if (invocation.common.json) {
    json::Array list;
    for (const auto& each : *outdated) {
      json::Object object;
      object.set("name", each.name);
      object.set("reference", each.reference);
      object.set("installed", each.installed);
      object.set("newest", each.newest);
      list.emplace_back(std::move(object));
    }
    json::Object document;
    document.set("schema", "curupira.plugins.outdated.v1");
    document.set("outdated", std::move(list));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  for (const auto& each : *outdated)
    terminal.out() << printable(each.name) << "  " << printable(each.installed) << " -> "
                   << printable(each.newest) << "  (" << printable(each.reference) << ")\n";
  if (outdated->empty())
    terminal.out() << "Everything from a registry is as new as its reference allows; folders and archives "
                      "are not asked\n";
  return 0;
}

}  // namespace curupira::cli
