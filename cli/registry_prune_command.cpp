#include <ostream>

#include "base/printable.h"
#include "cli/counted.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/repository_prune.h"

namespace curupira::cli {

Result<int> registry_prune_command(const Invocation& invocation, const RegistryPruneArguments& arguments,
                                   Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_for_change("prune"));
  CURUPIRA_TRY(const auto outcome,
               registry::prune(repository, {.keep = std::chrono::days(arguments.keep_days),
                                            .dry_run = arguments.dry_run}));
  if (invocation.common.json) {
    json::Object document = registry_document("prune");
    document.set("dryRun", arguments.dry_run);
    document.set("keepDays", static_cast<std::int64_t>(arguments.keep_days));
    document.set("removed", json::Array(outcome.removed.begin(), outcome.removed.end()));
    document.set("bytes", outcome.bytes);
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  const char* const word = arguments.dry_run ? "Would remove " : "Removed ";
  for (const std::string& path : outcome.removed)
    terminal.out() << word << printable(path) << '\n';
  if (outcome.removed.empty())
    terminal.out() << "Nothing to remove: all that was replaced more than "
                   << counted(static_cast<std::uint64_t>(arguments.keep_days), "day") << " ago is gone\n";
  else
    terminal.out() << word << counted(outcome.removed.size(), "file") << " (" << format_bytes(outcome.bytes)
                   << ")\n";
  return 0;
}

}  // namespace curupira::cli
