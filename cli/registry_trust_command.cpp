#include <ostream>

#include "base/printable.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/repository_keys.h"
#include "registry/repository_roles.h"

namespace curupira::cli {
namespace {

/// The key of the publisher, whether its private half is here or not.
Result<tuf::Key> publisher_key(RegistrySession& session, const Invocation& invocation,
                               const RegistryDelegateArguments& arguments) {
  if (arguments.public_key) {
    CURUPIRA_TRY(const PublicKey key, registry::read_public_key(
                                          session.files(), absolute_path(invocation, *arguments.public_key)));
    return tuf::Key::from_ed25519(key);
  }
  if (session.given_keys().size() == 1) return session.given_keys().front();
  return fail(Error(ErrorCode::usage, "whose key is it?")
                  .with_help("give --public-key FILE, or --key FILE once when the private half is here"));
}

}  // namespace

Result<int> registry_delegate_command(const Invocation& invocation,
                                      const RegistryDelegateArguments& arguments, Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(const tuf::Key key, publisher_key(*session, invocation, arguments));
  const std::string role = arguments.name.value_or(registry::role_name_for(arguments.pattern));
  CURUPIRA_TRY(auto repository, session->open_for_change("delegate"));
  CURUPIRA_TRY(const auto outcome, registry::delegate(repository, arguments.pattern, role, key));
  if (invocation.common.json) {
    json::Object document = registry_document("delegate");
    document.set("role", role);
    document.set("pattern", arguments.pattern);
    document.set("key", key.id());
    document.set("revision", revision_to_json(outcome));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << printable(arguments.pattern) << " belongs to " << printable(role) << ", with the key "
                 << key.id() << '\n';
  print_what_waits(terminal, outcome, arguments.place.folder.string());
  return 0;
}

Result<int> registry_sign_command(const Invocation& invocation, const RegistrySignArguments& arguments,
                                  Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_for_change("sign"));
  const auto version = repository.root().common.version + 1;
  CURUPIRA_TRY(const auto outcome, registry::sign_root(repository));
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
