#include "registry/repository_keys.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/repository_roles.h"
#include "tuf/metadata_parser.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

constexpr std::string_view target_folder = "packages/";
constexpr std::string_view target_ending = ".json";

bool is_of_root(std::string_view role) {
  return role == tuf::root_role || role == tuf::targets_role || role == online_keys;
}

std::string pattern_of(std::string_view path) {
  if (path.starts_with(target_folder)) path.remove_prefix(target_folder.size());
  if (path.ends_with(target_ending)) path.remove_suffix(target_ending.size());
  return std::string(path);
}

/// The role's keys after the change.
Result<tuf::RoleKeys> changed(const RoleListing& listing, const KeyChange& change) {
  tuf::RoleKeys keys = listing.keys;
  for (const std::string& beginning : change.remove) {
    CURUPIRA_TRY(const std::string id, find_key(listing, beginning));
    std::erase(keys.key_ids, id);
  }
  for (const tuf::Key& key : change.add) {
    if (std::ranges::find(keys.key_ids, key.id()) != keys.key_ids.end())
      return fail(ErrorCode::registry_role, "the key " + key.id() + " signs " + listing.role + " already");
    keys.key_ids.push_back(key.id());
  }
  keys.threshold = change.threshold.value_or(keys.threshold);
  if (keys.threshold < 1 || keys.threshold > static_cast<std::int64_t>(keys.key_ids.size()))
    return fail(ErrorCode::registry_threshold, listing.role + " would need " +
                                                   std::to_string(keys.threshold) + " signatures, and have " +
                                                   std::to_string(keys.key_ids.size()) + " keys");
  return keys;
}

/// Adds keys to the table, and drops those that no role names any more.
void update_table(tuf::KeyTable& table, const std::vector<tuf::Key>& added,
                  const std::vector<const tuf::RoleKeys*>& roles) {
  for (const tuf::Key& key : added)
    table.insert_or_assign(key.id(), key);
  std::erase_if(table, [&](const auto& entry) {
    return std::ranges::none_of(roles, [&](const tuf::RoleKeys* role) {
      return std::ranges::find(role->key_ids, entry.first) != role->key_ids.end();
    });
  });
}

void update_delegations(tuf::Delegations& delegations, const std::vector<tuf::Key>& added) {
  std::vector<const tuf::RoleKeys*> named;
  if (delegations.roles)
    for (const tuf::DelegatedRole& role : *delegations.roles)
      named.push_back(&role.keys);
  if (delegations.succinct_roles) named.push_back(&delegations.succinct_roles->keys);
  update_table(delegations.keys, added, named);
}

/// The change of one role's keys, in all the metadata that names them.
class KeyRevision {
 public:
  KeyRevision(Repository& repository, const KeyChange& change, tuf::RoleKeys keys)
      : repository_(repository), change_(change), keys_(std::move(keys)), revision_(repository) {}

  Result<RevisionOutcome> run() {
    if (is_of_root(change_.role)) CURUPIRA_CHECK(change_root());
    if (change_.role == tuf::targets_role) CURUPIRA_CHECK(change_delegations({bins_role}));
    if (change_.role == online_keys) CURUPIRA_CHECK(change_online());
    if (!is_of_root(change_.role)) CURUPIRA_CHECK(change_delegations({change_.role}));
    return revision_.commit();
  }

 private:
  bool signs_anew() const { return !change_.remove.empty() || change_.threshold.has_value(); }

  Result<> change_root() {
    if (repository_.pending_root())
      return fail(ErrorCode::root_pending, "root " + std::to_string(repository_.root().common.version + 1) +
                                               " in " + printable(repository_.folder().pending().string()));
    tuf::Root next = repository_.root();
    if (change_.role == online_keys)
      next.roles["snapshot"] = next.roles["timestamp"] = keys_;
    else
      next.roles[change_.role] = keys_;
    std::vector<const tuf::RoleKeys*> named;
    for (const auto& [name, role] : next.roles)
      named.push_back(&role);
    update_table(next.keys, change_.add, named);
    revision_.set_root(std::move(next));
    return {};
  }

  /// The role's keys in the top-level targets metadata, and the role's own metadata when it has to be signed
  /// by others now.
  Result<> change_delegations(std::initializer_list<std::string_view> names) {
    CURUPIRA_TRY(const tuf::Targets* const present, repository_.targets());
    tuf::Targets top = *present;
    TargetsRole changed;
    for (tuf::DelegatedRole& role : *top.delegations->roles) {
      if (std::ranges::find(names, role.name) == names.end()) continue;
      CURUPIRA_TRY(const auto content, repository_.read({role.name, role.keys, top.delegations->keys}));
      role.keys = keys_;
      update_delegations(*top.delegations, change_.add);
      changed = {.name = role.name, .keys = keys_, .table = top.delegations->keys};
      if (signs_anew() && content) CURUPIRA_CHECK(sign_anew(changed, *content));
    }
    revision_.put(repository_.top_role(), std::move(top));
    return {};
  }

  Result<> sign_anew(const TargetsRole& role, const tuf::Targets& content) {
    const bool of_publisher = is_publisher_name(role.name);
    if (of_publisher && repository_.read(role)) return {};  // a key that stays has signed it
    if (of_publisher && !repository_.tools().keys.can_sign(role.keys)) {
      repository_.tools().diagnostics.warn(
          "nothing of " + role.name +
          " can be installed until it publishes again: " + describe_keys(role.name, role.keys));
      return {};
    }
    revision_.put(role, content);
    return {};
  }

  Result<> change_online() {
    CURUPIRA_TRY(const TargetsRole bins, repository_.delegated_role(bins_role));
    CURUPIRA_TRY(auto content, repository_.read(bins));
    CURUPIRA_TRY(const auto bin_roles, repository_.bin_roles());
    content->delegations->succinct_roles->keys = keys_;
    update_delegations(*content->delegations, change_.add);
    for (const TargetsRole& bin : bin_roles) {
      if (!signs_anew()) break;
      CURUPIRA_TRY(auto packages, repository_.read(bin));
      if (packages)
        revision_.put({.name = bin.name, .keys = keys_, .table = content->delegations->keys},
                      *std::move(packages));
    }
    revision_.put(bins, *std::move(content));
    return change_delegations({search_role, mirror_role});
  }

  Repository& repository_;
  const KeyChange& change_;
  tuf::RoleKeys keys_;
  Revision revision_;
};

}  // namespace

Result<std::vector<RoleListing>> list_keys(Repository& repository) {
  const tuf::Root& root = repository.root();
  CURUPIRA_TRY(const tuf::Targets* const top, repository.targets());
  const auto of_root = [&](std::string_view role) { return root.role(role); };
  std::vector<RoleListing> found;
  found.push_back({.role = std::string(tuf::root_role),
                   .keys = of_root(tuf::root_role),
                   .version = root.common.version,
                   .expires = root.common.expires});
  found.push_back({.role = std::string(tuf::targets_role),
                   .keys = of_root(tuf::targets_role),
                   .version = top->common.version,
                   .expires = top->common.expires});
  found.push_back({.role = std::string(online_keys),
                   .keys = of_root(tuf::timestamp_role),
                   .version = repository.timestamp().common.version,
                   .expires = repository.timestamp().common.expires});
  CURUPIRA_TRY(const auto publishers, repository.publishers());
  for (const tuf::DelegatedRole& publisher : publishers) {
    RoleListing listing{.role = publisher.name, .keys = publisher.keys};
    for (const std::string& path : publisher.paths.value_or(std::vector<std::string>{}))
      listing.patterns.push_back(pattern_of(path));
    // Signed with keys that do not count any more, it is as good as none.
    const auto content = repository.read({publisher.name, publisher.keys, top->delegations->keys});
    if (content && *content) {
      listing.version = (*content)->common.version;
      listing.expires = (*content)->common.expires;
    }
    found.push_back(std::move(listing));
  }
  return found;
}

Result<RoleListing> find_role(Repository& repository, const std::string& role) {
  CURUPIRA_TRY(const auto all, list_keys(repository));
  const auto found = std::ranges::find(all, role, &RoleListing::role);
  if (found != all.end()) return *found;
  std::string list;
  for (const RoleListing& each : all)
    list += (list.empty() ? "" : ", ") + each.role;
  return fail(ErrorCode::registry_role, "\"" + excerpt(role, 80) + "\"; there are " + list);
}

Result<std::string> find_key(const RoleListing& listing, const std::optional<std::string>& beginning) {
  std::vector<std::string> fitting;
  for (const std::string& id : listing.keys.key_ids)
    if (!beginning || (!beginning->empty() && id.starts_with(*beginning))) fitting.push_back(id);
  if (fitting.size() == 1) return fitting.front();
  return fail(ErrorCode::registry_role,
              (fitting.empty() ? "no key" : "more than one key") + std::string(" of ") + listing.role +
                  (beginning ? " begins with \"" + excerpt(*beginning, 80) + "\"" : std::string()) + "; " +
                  describe_keys(listing.role, listing.keys));
}

Result<RevisionOutcome> change_keys(Repository& repository, const KeyChange& change) {
  CURUPIRA_TRY(const RoleListing listing, find_role(repository, change.role));
  CURUPIRA_TRY(tuf::RoleKeys keys, changed(listing, change));
  return KeyRevision(repository, change, std::move(keys)).run();
}

Result<RevisionOutcome> sign_root(Repository& repository) {
  if (!repository.pending_root())
    return fail(ErrorCode::root_not_pending,
                "nothing waits in " + printable(repository.folder().pending().string()));
  tuf::Document document = *repository.pending_root();
  CURUPIRA_TRY(const tuf::Root next, tuf::read_root(document.content));
  const tuf::Root& current = repository.root();
  // A signature that does not hold would stand where a good one has to.
  std::erase_if(document.signatures, [&](const tuf::Signature& signature) {
    const tuf::RoleKeys alone{.key_ids = {signature.key_id}};
    return !tuf::check_signatures(document, alone, next.keys, "root") &&
           !tuf::check_signatures(document, alone, current.keys, "root");
  });
  const std::size_t before = document.signatures.size();
  for (const tuf::Root* root : {&current, &next})
    if (auto added = repository.tools().keys.sign(document, root->role(tuf::root_role)); !added)
      return fail(std::move(added).error());
  if (document.signatures.size() == before)
    return fail(ErrorCode::root_not_pending,
                "no key that is here can add a signature; " +
                    describe_keys("the next root", next.role(tuf::root_role)) + "; " +
                    describe_keys("the present one", current.role(tuf::root_role)));
  Revision revision(repository);
  revision.set_signed_root(std::move(document));
  return revision.commit();
}

}  // namespace curupira::registry
