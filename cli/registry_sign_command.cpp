#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/counted.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/repository_keys.h"
#include "registry/root_signing.h"

namespace curupira::cli {
namespace {

/// What the holder of a key puts their name to.
void print(const tuf::Root& root, Terminal& terminal) {
  terminal.out() << "Root " << root.common.version << ", until "
                 << format_timestamp(root.common.expires).substr(0, 10) << '\n';
  for (const auto& [name, role] : root.roles) {
    terminal.out() << printable(name) << "  " << role.threshold << " of "
                   << counted(role.key_ids.size(), "key") << '\n';
    for (const std::string& id : role.key_ids)
      terminal.out() << "  " << excerpt(id, 64) << '\n';
  }
}

/// A holder's machine needs no registry.
Result<int> sign_file(const Invocation& invocation, RegistrySession& session,
                      const std::filesystem::path& file, Terminal& terminal) {
  if (session.given_keys().empty())
    return fail(Error(ErrorCode::usage, "whose signature?").with_help("give --key FILE with the root key"));
  CURUPIRA_TRY(const auto signed_root,
               registry::sign_root_file(session.files(), session.keys(), session.given_keys(), file));
  if (invocation.common.json) {
    json::Object document = registry_document("sign");
    document.set("version", signed_root.root.common.version);
    document.set("file", file.string());
    document.set("signatures", static_cast<std::uint64_t>(signed_root.document.signatures.size()));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  print(signed_root.root, terminal);
  terminal.out() << "Signed " << printable(file.string()) << ": it has "
                 << counted(signed_root.document.signatures.size(), "signature") << " now\n";
  return 0;
}

}  // namespace

Result<int> registry_sign_command(const Invocation& invocation, const RegistrySignArguments& arguments,
                                  Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(const auto status, session->files().status(session->place().folder));
  if (status && status->type == FileType::regular)
    return sign_file(invocation, *session, session->place().folder, terminal);
  CURUPIRA_TRY(auto repository, session->open_for_change("sign"));
  const auto version = repository.root().common.version + 1;
  std::vector<std::filesystem::path> files;
  for (const auto& each : arguments.signed_files)
    files.push_back(absolute_path(invocation, each));
  CURUPIRA_TRY(const auto outcome, files.empty() ? registry::sign_root(repository)
                                                 : registry::take_root_signatures(repository, files));
  if (invocation.common.json) {
    json::Object document = registry_document("sign");
    document.set("version", version);
    document.set("revision", revision_to_json(outcome));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << "Signed root " << version << '\n';
  print_what_waits(terminal, outcome, arguments.place.folder.string());
  return 0;
}

}  // namespace curupira::cli
