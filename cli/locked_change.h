#pragma once

#include <string>

#include "base/json.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "installer/installer.h"

namespace curupira::cli {

/// What the user said about a change that a lock file describes.
struct LockedChange {
  std::string schema;  ///< of the JSON document: "curupira.plugins.sync.v1"
  bool yes = false;
  bool dry_run = false;
};

/// Shows the plan, asks where the lock file changes, commits, and says what was done. What the lock file says
/// already was agreed to when it was written; what it did not have was not. Errors: consent_needed, declined,
/// those of the commit.
Result<int> carry_out(const Invocation& invocation, const LockedChange& change,
                      installer::PreparedInstall prepared, InstallProgress& progress, Terminal& terminal);

/// Plan and outcome for programs (docs/json.md).
void print_locked_change(Terminal& terminal, const std::string& schema, const installer::InstallPlan& plan,
                         bool lock_changed, bool done);

}  // namespace curupira::cli
