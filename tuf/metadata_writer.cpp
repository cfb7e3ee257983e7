#include "tuf/metadata_writer.h"

#include "base/timestamp.h"

namespace curupira::tuf {
namespace {

/// Unknown members come first: they are taken over whole, the others are added.
json::Object begin(const Common& common, std::string_view type) {
  json::Object content = common.unknown;
  content.set("_type", std::string(type));
  content.set("spec_version", common.spec_version);
  content.set("version", common.version);
  content.set("expires", format_timestamp(common.expires));
  return content;
}

json::Array array_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

json::Object object_of(const RoleKeys& role) {
  json::Object content = role.unknown;
  content.set("keyids", array_of(role.key_ids));
  content.set("threshold", role.threshold);
  return content;
}

json::Object object_of(const KeyTable& keys) {
  json::Object content;
  for (const auto& [id, key] : keys)
    content.append(id, key.content());
  return content;
}

json::Object object_of(const Hashes& hashes) {
  json::Object content;
  for (const auto& [algorithm, hex] : hashes)
    content.append(algorithm, hex);
  return content;
}

json::Object object_of(const MetaFile& file) {
  json::Object content = file.unknown;
  content.set("version", file.version);
  if (file.length) content.set("length", *file.length);
  if (file.hashes) content.set("hashes", object_of(*file.hashes));
  return content;
}

json::Object object_of(const TargetFile& file) {
  json::Object content = file.unknown;
  content.set("length", file.length);
  content.set("hashes", object_of(file.hashes));
  if (file.custom) content.set("custom", *file.custom);
  return content;
}

json::Object object_of(const DelegatedRole& role) {
  json::Object content = object_of(role.keys);
  content.set("name", role.name);
  if (role.terminating) content.set("terminating", *role.terminating);
  if (role.paths) content.set("paths", array_of(*role.paths));
  if (role.path_hash_prefixes) content.set("path_hash_prefixes", array_of(*role.path_hash_prefixes));
  return content;
}

json::Object object_of(const SuccinctRoles& roles) {
  json::Object content = object_of(roles.keys);
  content.set("bit_length", roles.bit_length);
  content.set("name_prefix", roles.name_prefix);
  return content;
}

json::Object object_of(const Delegations& delegations) {
  json::Object content = delegations.unknown;
  content.set("keys", object_of(delegations.keys));
  if (delegations.roles) {
    json::Array roles;
    for (const DelegatedRole& role : *delegations.roles)
      roles.emplace_back(object_of(role));
    content.set("roles", std::move(roles));
  }
  if (delegations.succinct_roles) content.set("succinct_roles", object_of(*delegations.succinct_roles));
  return content;
}

}  // namespace

json::Object content_of(const Root& root) {
  json::Object content = begin(root.common, root_role);
  if (root.consistent_snapshot) content.set("consistent_snapshot", *root.consistent_snapshot);
  content.set("keys", object_of(root.keys));
  json::Object roles;
  for (const auto& [name, role] : root.roles)
    roles.append(name, object_of(role));
  content.set("roles", std::move(roles));
  return content;
}

json::Object content_of(const Timestamp& timestamp) {
  json::Object content = begin(timestamp.common, timestamp_role);
  json::Object meta;
  meta.set(listed_file_name(snapshot_role), object_of(timestamp.snapshot));
  content.set("meta", std::move(meta));
  return content;
}

json::Object content_of(const Snapshot& snapshot) {
  json::Object content = begin(snapshot.common, snapshot_role);
  json::Object meta;
  for (const auto& [name, file] : snapshot.meta)
    meta.append(name, object_of(file));
  content.set("meta", std::move(meta));
  return content;
}

json::Object content_of(const Targets& targets) {
  json::Object content = begin(targets.common, targets_role);
  json::Object files;
  for (const auto& [path, file] : targets.targets)
    files.append(path, object_of(file));
  content.set("targets", std::move(files));
  if (targets.delegations) content.set("delegations", object_of(*targets.delegations));
  return content;
}

}  // namespace curupira::tuf
