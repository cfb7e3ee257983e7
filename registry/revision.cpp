#include "registry/revision.h"

#include <limits>

#include "base/printable.h"
#include "registry/browse_page.h"
#include "registry/repository_roles.h"
#include "tuf/metadata_parser.h"
#include "tuf/metadata_writer.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

template <class Metadata>
void stamp(Metadata& metadata, std::string_view role, std::int64_t version, std::chrono::sys_seconds now) {
  metadata.common.version = version;
  metadata.common.expires = now + Lifetimes().of(role);
}

bool holds(const RepositoryFolder& folder, const std::string& name, const tuf::Root& root,
           std::string_view role) {
  const auto file = folder.read_metadata(name, tuf::Limits().max_targets_bytes);
  if (!file || !*file) return false;
  const auto document = tuf::parse_document(**file);
  return document && tuf::check_signatures(*document, root.role(role), root.keys, name);
}

}  // namespace

Result<std::string> sign_metadata(SigningKeys& keys, json::Object content, const std::string& name,
                                  const std::vector<const tuf::RoleKeys*>& roles) {
  tuf::Document document{.content = std::move(content)};
  for (std::size_t i = 0; i < roles.size(); ++i) {
    CURUPIRA_TRY(const std::int64_t signatures, keys.sign(document, *roles[i]));
    if (i == 0 && signatures < roles[i]->threshold)
      return fail(ErrorCode::registry_key_missing, describe_keys(name, *roles[i]));
  }
  return tuf::write_document(document);
}

std::string describe_keys(const std::string& role, const tuf::RoleKeys& keys) {
  std::string text = printable(role) + (keys.key_ids.size() == 1 ? " has the key " : " has the keys ");
  for (std::size_t i = 0; i < keys.key_ids.size(); ++i)
    text += (i == 0 ? "" : ", ") + excerpt(keys.key_ids[i], 64);
  if (keys.key_ids.size() > 1)
    text += "; " + std::to_string(keys.threshold) + (keys.threshold == 1 ? " of them has" : " of them have") +
            " to sign";
  return text;
}

void Revision::put(TargetsRole role, tuf::Targets content) {
  for (Role& each : roles_) {
    if (each.role.name != role.name) continue;
    each = {std::move(role), std::move(content)};
    return;
  }
  roles_.push_back({std::move(role), std::move(content)});
}

void Revision::adopt(const PendingFile& file, std::string bytes) {
  adopted_.push_back({file, std::move(bytes)});
}

/// The keys of the current root, then those of the next one, which count from when it is published.
std::vector<const tuf::RoleKeys*> Revision::keys_of(std::string_view role) {
  const tuf::RoleKeys& current = repository_.root().role(role);
  if (!next_) return {&current};
  const tuf::RoleKeys& coming = next_->role(role);
  const SigningKeys& keys = repository_.tools().keys;
  if (!root_complete_ || keys.can_sign(current) || !keys.can_sign(coming)) return {&current, &coming};
  root_first_ = true;
  return {&coming};
}

bool Revision::has_enough(const tuf::Root& root) const {
  return tuf::check_signatures(*root_, root.role(tuf::root_role), root.keys, "root").has_value();
}

Result<> Revision::prepare_root() {
  root_ = signed_root_ ? signed_root_ : repository_.pending_root();
  if (next_root_) {
    stamp(*next_root_, tuf::root_role, repository_.root().common.version + 1, repository_.now());
    root_ = tuf::Document{.content = tuf::content_of(*next_root_)};
    const tuf::Root* const both[] = {&repository_.root(), &*next_root_};
    for (const tuf::Root* const each : both)
      if (auto added = repository_.tools().keys.sign(*root_, each->role(tuf::root_role)); !added)
        return fail(std::move(added).error());
  }
  if (!root_) return {};
  CURUPIRA_TRY(next_, tuf::read_root(root_->content));
  root_complete_ = has_enough(repository_.root()) && has_enough(*next_);
  return {};
}

/// A file that a killed command left is not touched: its version is passed over.
Result<std::int64_t> Revision::next_version(const std::string& role) const {
  const tuf::MetaFile* const announced = repository_.snapshot().find(role);
  std::int64_t version = announced == nullptr ? 0 : announced->version;
  if (role == tuf::snapshot_role) version = repository_.snapshot().common.version;
  while (version < std::numeric_limits<std::int64_t>::max()) {
    const std::string name = tuf::metadata_file_name(role, ++version);
    CURUPIRA_TRY(const bool there, repository_.folder().has_metadata(name));
    CURUPIRA_TRY(const bool waits, repository_.folder().has_pending(name));
    if (!there && !waits) return version;
  }
  return fail(ErrorCode::registry_damaged, printable(role) + " has no higher version left");
}

Result<std::vector<Revision::Signed>> Revision::sign_roles() {
  std::vector<Signed> signed_roles;
  for (Role& each : roles_) {
    const std::string& name = each.role.name;
    CURUPIRA_TRY(const std::int64_t version, next_version(name));
    stamp(each.content, name, version, repository_.now());
    std::vector<const tuf::RoleKeys*> keys{&each.role.keys};
    if (name == tuf::targets_role) keys = keys_of(name);
    CURUPIRA_TRY(std::string bytes,
                 sign_metadata(repository_.tools().keys, tuf::content_of(each.content), name, keys));
    signed_roles.push_back({.name = tuf::metadata_file_name(name, version),
                            .role = name,
                            .version = version,
                            .bytes = std::move(bytes)});
  }
  for (const Adopted& each : adopted_)
    signed_roles.push_back(
        {.name = each.file.name, .role = each.file.role, .version = each.file.version, .bytes = each.bytes});
  return signed_roles;
}

Result<Revision::Signed> Revision::sign_snapshot(const std::vector<Signed>& roles) {
  tuf::Snapshot snapshot = repository_.snapshot();
  for (const Signed& role : roles)
    snapshot.meta[tuf::listed_file_name(role.role)] = {.version = role.version};
  const std::string name(tuf::snapshot_role);
  CURUPIRA_TRY(const std::int64_t version, next_version(name));
  stamp(snapshot, name, version, repository_.now());
  CURUPIRA_TRY(std::string bytes,
               sign_metadata(repository_.tools().keys, tuf::content_of(snapshot), name, keys_of(name)));
  return Signed{.name = tuf::metadata_file_name(name, version),
                .role = name,
                .version = version,
                .bytes = std::move(bytes)};
}

Result<Revision::Signed> Revision::sign_timestamp(const Signed* snapshot) {
  tuf::Timestamp timestamp = repository_.timestamp();
  if (snapshot != nullptr)
    timestamp.snapshot = {
        .version = snapshot->version,
        .length = snapshot->bytes.size(),
        .hashes = tuf::Hashes{{"sha256", digest_of(DigestAlgorithm::sha256, snapshot->bytes).hex()}}};
  const std::string name(tuf::timestamp_role);
  if (timestamp.common.version == std::numeric_limits<std::int64_t>::max())
    return fail(ErrorCode::registry_damaged, "timestamp has no higher version left");
  stamp(timestamp, name, timestamp.common.version + 1, repository_.now());
  CURUPIRA_TRY(std::string bytes,
               sign_metadata(repository_.tools().keys, tuf::content_of(timestamp), name, keys_of(name)));
  return Signed{.name = tuf::metadata_file_name(name),
                .role = name,
                .version = timestamp.common.version,
                .bytes = std::move(bytes)};
}

Result<bool> Revision::can_publish() {
  CURUPIRA_CHECK(prepare_root());
  const SigningKeys& keys = repository_.tools().keys;
  const auto can_sign = [&](std::string_view role) {
    return keys.can_sign(repository_.root().role(role)) ||
           (root_complete_ && keys.can_sign(next_->role(role)));
  };
  return can_sign(tuf::timestamp_role) && can_sign(tuf::snapshot_role);
}

Result<> Revision::write_uploads() {
  for (const TargetUpload& each : uploads_)
    CURUPIRA_CHECK(repository_.folder().put(each));
  return {};
}

Result<> Revision::write_pending(const std::vector<Signed>& roles, RevisionOutcome& outcome) {
  CURUPIRA_CHECK(write_uploads());
  for (const Signed& role : roles) {
    CURUPIRA_CHECK(repository_.folder().write_pending(role.name, role.bytes));
    outcome.written.push_back(role.name);
  }
  outcome.visible = roles.empty();
  return {};
}

Result<> Revision::write_visible(std::vector<Signed> roles, RevisionOutcome& outcome) {
  std::optional<Signed> snapshot;
  if (!roles.empty() || renew_snapshot_ || next_) {
    CURUPIRA_TRY(snapshot, sign_snapshot(roles));
  }
  CURUPIRA_TRY(const Signed timestamp, sign_timestamp(snapshot ? &*snapshot : nullptr));
  if (snapshot) {
    outcome.snapshot = snapshot->version;
    roles.push_back(*std::move(snapshot));
  }
  CURUPIRA_CHECK(write_uploads());
  // The roles' files may appear in any order: nothing names them before the timestamp does.
  std::vector<RepositoryFolder::NamedBytes> metadata;
  for (Signed& role : roles) {
    outcome.written.push_back(role.name);
    metadata.emplace_back(std::move(role.name), std::move(role.bytes));
  }
  if (!metadata.empty()) CURUPIRA_CHECK(repository_.folder().write_metadata(metadata));
  if (root_first_)
    CURUPIRA_CHECK(write_root_and_timestamp(timestamp, outcome));
  else
    CURUPIRA_CHECK(repository_.folder().write_timestamp(timestamp.bytes));
  outcome.written.push_back(timestamp.name);
  for (const Adopted& each : adopted_)
    CURUPIRA_CHECK(repository_.folder().remove_pending(each.file.name));
  return {};
}

/// The timestamp waits, complete, until the root is there: whoever is killed in between has left both
/// (Repository::open_for_change).
Result<> Revision::write_root_and_timestamp(const Signed& timestamp, RevisionOutcome& outcome) {
  RepositoryFolder& folder = repository_.folder();
  const std::string name = tuf::metadata_file_name(tuf::root_role, next_->common.version);
  CURUPIRA_TRY(const std::string bytes, tuf::write_document(*root_));
  CURUPIRA_CHECK(folder.write_pending(timestamp.name, timestamp.bytes));
  CURUPIRA_CHECK(folder.write_metadata({{name, bytes}}));
  CURUPIRA_CHECK(folder.release_timestamp());
  outcome.written.push_back(name);
  outcome.root = RevisionOutcome::RootState::published;
  return folder.remove_pending(name);
}

Result<> Revision::finish_root(RevisionOutcome& outcome) {
  const std::string name = tuf::metadata_file_name(tuf::root_role, next_->common.version);
  RepositoryFolder& folder = repository_.folder();
  CURUPIRA_TRY(const std::string bytes, tuf::write_document(*root_));
  const auto wait = [&](RevisionOutcome::RootState state) {
    outcome.root = state;
    return folder.write_pending(name, bytes);
  };
  if (!root_complete_) return wait(RevisionOutcome::RootState::needs_signatures);
  CURUPIRA_CHECK(repository_.reload());
  const auto& snapshot = repository_.timestamp().snapshot;
  const tuf::MetaFile* const targets = repository_.snapshot().find(tuf::targets_role);
  const bool served =
      targets != nullptr &&
      holds(folder, tuf::metadata_file_name(tuf::timestamp_role), *next_, tuf::timestamp_role) &&
      holds(folder, tuf::metadata_file_name(tuf::snapshot_role, snapshot.version), *next_,
            tuf::snapshot_role) &&
      holds(folder, tuf::metadata_file_name(tuf::targets_role, targets->version), *next_, tuf::targets_role);
  // Published now, clients would trust it and then refuse the rest.
  if (!served) return wait(RevisionOutcome::RootState::needs_online_keys);
  CURUPIRA_CHECK(folder.write_metadata({{name, bytes}}));
  outcome.written.push_back(name);
  outcome.root = RevisionOutcome::RootState::published;
  return folder.remove_pending(name);
}

Result<RevisionOutcome> Revision::commit() {
  RevisionOutcome outcome{.snapshot = repository_.snapshot().common.version};
  CURUPIRA_TRY(const bool visible, can_publish());
  CURUPIRA_TRY(auto roles, sign_roles());
  if (visible)
    CURUPIRA_CHECK(write_visible(std::move(roles), outcome));
  else
    CURUPIRA_CHECK(write_pending(roles, outcome));
  if (root_ && outcome.root != RevisionOutcome::RootState::published) CURUPIRA_CHECK(finish_root(outcome));
  CURUPIRA_CHECK(repository_.reload());
  keep_browse_page(repository_.folder(), repository_.tools().diagnostics);
  return outcome;
}

}  // namespace curupira::registry
