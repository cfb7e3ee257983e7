#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/lock_settings.h"
#include "cli/progress.h"
#include "installer/installer.h"

namespace curupira::cli {

Result<int> remove_command(const Invocation& invocation, const RemoveArguments& arguments,
                           Terminal& terminal) {
  const auto files = make_posix_file_system();
  const SystemClock clock;
  InstallProgress progress(terminal, clock);
  json::Array removed;
  bool kept = false;
  for (const auto& name : arguments.names) {
    CURUPIRA_TRY(const auto extension,
                 installer::remove_extension(
                     invocation.home, *files, name,
                     {.wait_until_unused = arguments.force, .lock_file = lock_path(invocation)}, progress));
    if (invocation.common.json) {
      json::Object object;
      object.set("name", extension.name);
      object.set("version", extension.version);
      object.set("freedBytes", extension.freed_bytes);
      object.set("keptBytes", extension.kept_bytes);
      removed.emplace_back(std::move(object));
    } else {
      terminal.out() << "Removed extension " << printable(extension.name) << ' '
                     << printable(extension.version) << " (" << format_bytes(extension.freed_bytes)
                     << " freed";
      if (extension.kept_bytes > 0) {
        terminal.out() << "; " << format_bytes(extension.kept_bytes) << " kept for rollback";
        kept = true;
      }
      terminal.out() << ")\n";
    }
  }
  if (kept)
    terminal.out()
        << "`curupira plugins rollback` brings it back; `curupira cache prune --keep-generations 1` "
           "frees what is kept for that\n";
  if (invocation.common.json) {
    json::Object document;
    document.set("schema", "curupira.plugins.remove.v1");
    document.set("removed", std::move(removed));
    terminal.out() << json::write_pretty(document);
  }
  return 0;
}

}  // namespace curupira::cli
