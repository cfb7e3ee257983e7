#include "installer/locked_addition.h"

namespace curupira::installer {

Result<> add_locked_extension(PreparedInstall::State& state, const InstallerTools& tools,
                              const InstallOptions& options, const InstallRun& run, Diagnostics& diagnostics,
                              const LockedAddition& addition) {
  const auto add = [&](bool ask_registry) {
    LockResolver resolver(*tools.source_tools, state.store, addition.entry,
                          {.ask_registry = ask_registry,
                           .folders = addition.folders,
                           .other_platforms = addition.other_platforms},
                          diagnostics);
    return add_extension(state,
                         {.tools = tools,
                          .options = options,
                          .run = run,
                          .diagnostics = diagnostics,
                          .resolver = resolver,
                          .other_platforms = addition.other_platforms,
                          .recheck_closure = true},
                         {addition.reference, &addition.entry});
  };
  auto added = add(false);
  if (added || !addition.entry.source.starts_with("npm")) return added;
  const ErrorCode code = added.error().code();
  if (code != ErrorCode::http_not_found && code != ErrorCode::http_status) return added;
  return add(true);
}

}  // namespace curupira::installer
