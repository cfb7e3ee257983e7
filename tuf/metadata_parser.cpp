#include "tuf/metadata_parser.h"

#include "base/printable.h"
#include "tuf/common_parser.h"

namespace curupira::tuf {
namespace {

Result<MetaFile> read_meta_file(const json::Value& value, std::string where) {
  CURUPIRA_TRY(Fields fields, Fields::of(value, std::move(where)));
  MetaFile file;
  CURUPIRA_TRY(file.version, fields.number("version", 1));
  CURUPIRA_TRY(file.length, fields.optional_number("length", 0));
  if (fields.optional("hashes") != nullptr) {
    CURUPIRA_TRY(file.hashes, read_hashes(fields, "hashes"));
  }
  file.unknown = fields.rest();
  return file;
}

}  // namespace

Result<Root> read_root(const json::Object& content) {
  Fields fields(content, std::string(root_role));
  Root root;
  CURUPIRA_TRY(root.common, read_common(fields, root_role));
  CURUPIRA_TRY(root.consistent_snapshot, fields.optional_flag("consistent_snapshot"));
  CURUPIRA_TRY(root.keys, read_keys(fields));
  CURUPIRA_TRY(const Fields roles, fields.object("roles"));
  for (const auto& [name, value] : roles.members()) {
    CURUPIRA_TRY(Fields role_fields, Fields::of(value, roles.place(name)));
    CURUPIRA_TRY(RoleKeys role, read_role_keys(role_fields));
    role.unknown = role_fields.rest();
    root.roles.emplace(name, std::move(role));
  }
  for (const std::string_view name : {root_role, timestamp_role, snapshot_role, targets_role})
    if (!root.roles.contains(name)) return fail(ErrorCode::tuf_field, roles.place(name) + " is missing");
  root.common.unknown = fields.rest();
  return root;
}

Result<Timestamp> read_timestamp(const json::Object& content) {
  Fields fields(content, std::string(timestamp_role));
  Timestamp timestamp;
  CURUPIRA_TRY(timestamp.common, read_common(fields, timestamp_role));
  CURUPIRA_TRY(Fields meta, fields.object("meta"));
  const std::string file = listed_file_name(snapshot_role);
  const json::Value* const described = meta.optional(file);
  if (described == nullptr || meta.members().size() != 1)
    return fail(ErrorCode::tuf_field,
                fields.place("meta") + " has to describe " + file + " and nothing else");
  CURUPIRA_TRY(timestamp.snapshot, read_meta_file(*described, meta.place(file)));
  timestamp.common.unknown = fields.rest();
  return timestamp;
}

Result<Snapshot> read_snapshot(const json::Object& content) {
  Fields fields(content, std::string(snapshot_role));
  Snapshot snapshot;
  CURUPIRA_TRY(snapshot.common, read_common(fields, snapshot_role));
  CURUPIRA_TRY(const Fields meta, fields.object("meta"));
  for (const auto& [name, value] : meta.members()) {
    CURUPIRA_TRY(MetaFile file, read_meta_file(value, meta.place(name)));
    snapshot.meta.emplace(name, std::move(file));
  }
  snapshot.common.unknown = fields.rest();
  return snapshot;
}

}  // namespace curupira::tuf
