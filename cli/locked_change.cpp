#include "cli/locked_change.h"

#include <ostream>
#include <utility>

#include "cli/installation.h"
#include "cli/plan_text.h"

namespace curupira::cli {

void print_locked_change(Terminal& terminal, const std::string& schema, const installer::InstallPlan& plan,
                         bool lock_changed, bool done) {
  json::Object document;
  document.set("schema", schema);
  document.set("done", done);
  document.set("lockChanged", lock_changed);
  document.set("plan", plan_to_json(plan));
  terminal.out() << json::write_pretty(document);
}

Result<int> carry_out(const Invocation& invocation, const LockedChange& change,
                      installer::PreparedInstall prepared, InstallProgress& progress, Terminal& terminal) {
  const auto plan = prepared.plan();
  const bool lock_changes = prepared.changes_lock();
  if (!invocation.common.json) print_plan(terminal, plan);
  if (!change.dry_run) {
    if (lock_changes && !change.yes) {
      if (!terminal.can_ask()) return fail(ErrorCode::consent_needed);
      if (!terminal.ask("Install, and write the lock file?")) return fail(ErrorCode::declined);
    }
    CURUPIRA_CHECK(std::move(prepared).commit(progress));
    progress.clear();
  }
  if (invocation.common.json)
    print_locked_change(terminal, change.schema, plan, lock_changes, !change.dry_run);
  else if (!change.dry_run)
    print_outcome(terminal, plan);
  return 0;
}

}  // namespace curupira::cli
