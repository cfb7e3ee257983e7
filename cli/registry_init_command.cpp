#include <ostream>

#include "base/printable.h"
#include "cli/counted.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/repository_init.h"

namespace curupira::cli {

Result<int> registry_init_command(const Invocation& invocation, const RegistryInitArguments& arguments,
                                  Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(const registry::InitOutcome outcome,
               registry::init_repository(session->tools(), session->place(),
                                         {.root_keys = arguments.root_keys,
                                          .root_threshold = arguments.root_threshold,
                                          .bin_bits = arguments.bits}));
  const std::string folder = arguments.place.folder.string();
  const std::string keys = session->place().keys.string();
  if (invocation.common.json) {
    json::Object document = registry_document("init");
    document.set("folder", session->place().folder.string());
    document.set("keys", keys);
    document.set("fingerprint", outcome.fingerprint);
    json::Array made;
    for (const auto& file : outcome.keys_made)
      made.emplace_back(file.filename().string());
    document.set("keysMade", std::move(made));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << "Made the registry " << printable(folder) << "; " << arguments.root_threshold << " of "
                 << counted(static_cast<std::uint64_t>(arguments.root_keys), "root key")
                 << (arguments.root_threshold == 1 ? " signs" : " sign") << " a new root\n"
                 << "keys         " << printable(keys) << " (never serve this folder)\n"
                 << "fingerprint  " << outcome.fingerprint << '\n';
  return 0;
}

}  // namespace curupira::cli
