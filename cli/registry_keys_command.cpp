#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/repository_keys.h"

namespace curupira::cli {
namespace {

using registry::RoleListing;

json::Object to_json(const RoleListing& listing, const registry::SigningKeys& keys) {
  json::Object object;
  object.set("role", listing.role);
  object.set("threshold", listing.keys.threshold);
  object.set("version", listing.version);
  if (listing.version > 0) object.set("expires", format_timestamp(listing.expires));
  json::Array list;
  for (const std::string& id : listing.keys.key_ids) {
    json::Object key;
    key.set("id", id);
    if (keys.has(id)) key.set("file", keys.file_of(id).string());
    list.emplace_back(std::move(key));
  }
  object.set("keys", std::move(list));
  object.set("packages", json::Array(listing.patterns.begin(), listing.patterns.end()));
  return object;
}

void print(Terminal& terminal, const RoleListing& listing, const registry::SigningKeys& keys) {
  const std::size_t count = listing.keys.key_ids.size();
  terminal.out() << terminal.out_styled(Terminal::Style::bold, printable(listing.role)) << "  "
                 << listing.keys.threshold << " of " << count << (count == 1 ? " key" : " keys");
  for (const std::string& pattern : listing.patterns)
    terminal.out() << (&pattern == &listing.patterns.front() ? "; signs " : ", ") << printable(pattern);
  if (listing.version > 0)
    terminal.out() << "; version " << listing.version << ", until "
                   << format_timestamp(listing.expires).substr(0, 10);
  terminal.out() << '\n';
  for (const std::string& id : listing.keys.key_ids)
    terminal.out() << "  " << excerpt(id, 64) << "  "
                   << (keys.has(id) ? printable(keys.file_of(id).string()) : "not here") << '\n';
}

/// Whose keys are added: those of others, or a new one. None when a key is only taken away.
struct NewKeys {
  std::vector<tuf::Key> keys = {};
  std::optional<std::filesystem::path> made = {};
};

Result<tuf::Key> public_key_of(RegistrySession& session, const std::filesystem::path& file) {
  CURUPIRA_TRY(const PublicKey key, registry::read_public_key(session.files(), file));
  return tuf::Key::from_ed25519(key);
}

Result<NewKeys> new_keys(RegistrySession& session, const Invocation& invocation,
                         const RegistryKeysChangeArguments& arguments) {
  using Change = RegistryKeysChangeArguments::Change;
  NewKeys added;
  if (arguments.change == Change::revoke) return added;
  if (arguments.change == Change::rotate && arguments.public_keys.size() > 1)
    return fail(ErrorCode::usage, "one key takes the place of another: give --public-key once");
  for (const auto& file : arguments.public_keys) {
    CURUPIRA_TRY(tuf::Key key, public_key_of(session, absolute_path(invocation, file)));
    added.keys.push_back(std::move(key));
  }
  if (!added.keys.empty()) return added;
  CURUPIRA_TRY(added.made, session.new_key_file(arguments.role));
  CURUPIRA_TRY(tuf::Key key, session.keys().make(*added.made));
  added.keys.push_back(std::move(key));
  return added;
}

/// The key that goes: a file says which, or the beginning of its id.
Result<std::string> old_key(RegistrySession& session, const Invocation& invocation, const RoleListing& role,
                            const std::optional<std::string>& given) {
  if (!given || !given->ends_with(".pub")) return registry::find_key(role, given);
  CURUPIRA_TRY(const tuf::Key key, public_key_of(session, absolute_path(invocation, *given)));
  return registry::find_key(role, key.id());
}

}  // namespace

Result<int> registry_keys_list_command(const Invocation& invocation,
                                       const RegistryKeysListArguments& arguments, Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_to_read());
  CURUPIRA_TRY(const auto roles, registry::list_keys(repository));
  CURUPIRA_TRY(const std::string fingerprint, registry::root_fingerprint(repository.folder()));
  if (invocation.common.json) {
    json::Object document = registry_document("keys");
    document.set("fingerprint", fingerprint);
    document.set("rootPending", repository.pending_root().has_value());
    json::Array list;
    for (const RoleListing& each : roles)
      list.emplace_back(to_json(each, session->keys()));
    document.set("roles", std::move(list));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  for (const RoleListing& each : roles)
    print(terminal, each, session->keys());
  if (repository.pending_root())
    terminal.out() << "Root " << repository.root().common.version + 1 << " waits for signatures\n";
  terminal.out() << "fingerprint  " << fingerprint << '\n';
  return 0;
}

Result<int> registry_keys_new_command(const Invocation& invocation, const RegistryKeysNewArguments& arguments,
                                      Terminal& terminal) {
  const auto files = make_posix_file_system();
  std::optional<std::filesystem::path> passphrase_file;
  if (arguments.passphrase_file) passphrase_file = absolute_path(invocation, *arguments.passphrase_file);
  CURUPIRA_TRY(auto passphrases, Passphrases::of(*files, invocation.environment, passphrase_file, terminal));
  registry::SigningKeys keys(*files, passphrases);
  const auto file = absolute_path(invocation, arguments.file);
  if (file.extension() != ".pem")
    return fail(ErrorCode::usage, printable(arguments.file.string()) + ": the name has to end with .pem");
  CURUPIRA_TRY(const tuf::Key key, keys.make(file));
  if (invocation.common.json) {
    json::Object document = registry_document("key");
    document.set("id", key.id());
    document.set("privateKey", file.string());
    document.set("publicKey", registry::public_key_file(file).string());
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << "Made the key " << key.id() << "\nprivate  " << printable(file.string()) << "\npublic   "
                 << printable(registry::public_key_file(file).string()) << '\n';
  return 0;
}

Result<int> registry_keys_change_command(const Invocation& invocation,
                                         const RegistryKeysChangeArguments& arguments, Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_for_change("keys"));
  CURUPIRA_TRY(const RoleListing role, registry::find_role(repository, arguments.role));
  registry::KeyChange change{.role = role.role, .threshold = arguments.threshold};
  if (arguments.change != RegistryKeysChangeArguments::Change::add) {
    CURUPIRA_TRY(std::string old, old_key(*session, invocation, role, arguments.key_id));
    change.remove.push_back(std::move(old));
  }
  CURUPIRA_TRY(const NewKeys added, new_keys(*session, invocation, arguments));
  change.add = added.keys;
  const auto outcome = registry::change_keys(repository, change);
  if (!outcome) {
    // A key that nothing names is of no use, and would stand in the way of the next try.
    if (added.made) {
      static_cast<void>(session->files().remove_file(*added.made));
      static_cast<void>(session->files().remove_file(registry::public_key_file(*added.made)));
    }
    return fail(outcome.error());
  }
  if (invocation.common.json) {
    json::Object document = registry_document("keys-change");
    document.set("role", arguments.role);
    json::Array ids;
    for (const tuf::Key& key : added.keys)
      ids.emplace_back(key.id());
    document.set("added", std::move(ids));
    if (added.made) document.set("privateKey", added.made->string());
    document.set("revision", revision_to_json(*outcome));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  for (const tuf::Key& key : added.keys)
    terminal.out() << printable(arguments.role) << " has the new key " << key.id() << '\n';
  if (added.keys.empty())
    terminal.out() << "The key does not sign " << printable(arguments.role) << " any more\n";
  if (added.made) terminal.out() << "private  " << printable(added.made->string()) << '\n';
  print_what_waits(terminal, *outcome, arguments.place.folder.string());
  return 0;
}

}  // namespace curupira::cli
