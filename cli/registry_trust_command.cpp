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

Result<int> registry_undelegate_command(const Invocation& invocation,
                                        const RegistryUndelegateArguments& arguments, Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_for_change("undelegate"));
  CURUPIRA_TRY(
      const auto outcome,
      registry::undelegate(repository, {.what = arguments.what, .with_packages = arguments.with_packages}));
  if (invocation.common.json) {
    json::Object document = registry_document("undelegate");
    document.set("role", outcome.role);
    document.set("patterns", json::Array(outcome.patterns.begin(), outcome.patterns.end()));
    document.set("packages", json::Array(outcome.packages.begin(), outcome.packages.end()));
    document.set("revision", revision_to_json(outcome.revision));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  for (const std::string& pattern : outcome.patterns)
    terminal.out() << printable(pattern) << " belongs to " << printable(outcome.role) << " no more\n";
  for (const std::string& package : outcome.packages)
    terminal.out() << "Clients do not find " << printable(package) << " any more\n";
  print_what_waits(terminal, outcome.revision, arguments.place.folder.string());
  return 0;
}

}  // namespace curupira::cli
