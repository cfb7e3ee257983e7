#include <algorithm>

#include "base/printable.h"
#include "base/url.h"
#include "tuf/common_parser.h"
#include "tuf/limits.h"
#include "tuf/metadata_parser.h"

namespace curupira::tuf {
namespace {

constexpr int most_bits = 32;  // of a digest, those that number a bin

Result<TargetFile> read_target(const json::Value& value, std::string where) {
  CURUPIRA_TRY(Fields fields, Fields::of(value, std::move(where)));
  TargetFile file;
  CURUPIRA_TRY(const std::int64_t length, fields.number("length", 0));
  file.length = static_cast<std::uint64_t>(length);
  CURUPIRA_TRY(file.hashes, read_hashes(fields, "hashes"));
  if (fields.optional("custom") != nullptr) {
    CURUPIRA_TRY(const Fields custom, fields.object("custom"));
    file.custom = custom.members();
  }
  file.unknown = fields.rest();
  return file;
}

/// A name that could take the place of a top-level role's file, or that no file can have, is refused.
Result<> check_role_name(const std::string& name, const std::string& place) {
  if (name.empty() || is_top_level_role(name))
    return fail(ErrorCode::tuf_field, place + " is \"" + name + "\", which no delegated role can be called");
  if (const std::size_t size = percent_encode(name).size(); size > max_role_name_bytes)
    return fail(ErrorCode::tuf_field, place + " is " + std::to_string(size) +
                                          " bytes long when it is encoded; allowed are " +
                                          std::to_string(max_role_name_bytes));
  return {};
}

Result<DelegatedRole> read_delegated_role(const json::Value& value, std::string where) {
  CURUPIRA_TRY(Fields fields, Fields::of(value, std::move(where)));
  DelegatedRole role;
  CURUPIRA_TRY(role.name, fields.text("name"));
  CURUPIRA_CHECK(check_role_name(role.name, fields.place("name")));
  CURUPIRA_TRY(role.keys, read_role_keys(fields));
  CURUPIRA_TRY(role.terminating, fields.optional_flag("terminating"));
  if (fields.optional("paths") != nullptr) {
    CURUPIRA_TRY(role.paths, fields.texts("paths"));
  }
  if (fields.optional("path_hash_prefixes") != nullptr) {
    CURUPIRA_TRY(role.path_hash_prefixes, fields.texts("path_hash_prefixes"));
  }
  if (role.paths && role.path_hash_prefixes)
    return fail(ErrorCode::tuf_field, fields.place("paths") + " and path_hash_prefixes exclude each other");
  role.keys.unknown = fields.rest();
  return role;
}

Result<std::vector<DelegatedRole>> read_roles(Fields& fields) {
  CURUPIRA_TRY(const json::Array* listed, fields.array("roles"));
  std::vector<DelegatedRole> roles;
  std::vector<std::string_view> names;
  roles.reserve(listed->size());
  names.reserve(listed->size());
  for (std::size_t i = 0; i < listed->size(); ++i) {
    CURUPIRA_TRY(DelegatedRole role,
                 read_delegated_role((*listed)[i], fields.place("roles") + "[" + std::to_string(i) + "]"));
    roles.push_back(std::move(role));
    names.push_back(roles.back().name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return fail(ErrorCode::tuf_field,
                fields.place("roles") + " has the role \"" + excerpt(*twice, 80) + "\" twice");
  return roles;
}

Result<SuccinctRoles> read_succinct_roles(Fields& fields) {
  CURUPIRA_TRY(Fields described, fields.object("succinct_roles"));
  SuccinctRoles roles;
  CURUPIRA_TRY(roles.keys, read_role_keys(described));
  CURUPIRA_TRY(const std::int64_t bits, described.number("bit_length", 1));
  if (bits > most_bits)
    return fail(ErrorCode::tuf_field,
                described.place("bit_length") + " has to be at most " + std::to_string(most_bits));
  roles.bit_length = static_cast<int>(bits);
  CURUPIRA_TRY(roles.name_prefix, described.text("name_prefix"));
  // The longest number has 8 digits, and a dash before it.
  CURUPIRA_CHECK(check_role_name(roles.name_prefix + "-00000000", described.place("name_prefix")));
  roles.keys.unknown = described.rest();
  return roles;
}

Result<Delegations> read_delegations(Fields& targets) {
  CURUPIRA_TRY(Fields fields, targets.object("delegations"));
  Delegations delegations;
  CURUPIRA_TRY(delegations.keys, read_keys(fields));
  if (fields.optional("roles") != nullptr) {
    CURUPIRA_TRY(delegations.roles, read_roles(fields));
  }
  if (fields.optional("succinct_roles") != nullptr) {
    CURUPIRA_TRY(delegations.succinct_roles, read_succinct_roles(fields));
  }
  if (delegations.roles.has_value() == delegations.succinct_roles.has_value())
    return fail(ErrorCode::tuf_field,
                fields.place("roles") + " or succinct_roles: exactly one of them has to be there");
  delegations.unknown = fields.rest();
  return delegations;
}

}  // namespace

Result<Targets> read_targets(const json::Object& content) {
  Fields fields(content, std::string(targets_role));
  Targets targets;
  CURUPIRA_TRY(targets.common, read_common(fields, targets_role));
  CURUPIRA_TRY(const Fields files, fields.object("targets"));
  for (const auto& [path, value] : files.members()) {
    CURUPIRA_TRY(TargetFile file, read_target(value, files.place(path)));
    targets.targets.emplace(path, std::move(file));
  }
  if (fields.optional("delegations") != nullptr) {
    CURUPIRA_TRY(targets.delegations, read_delegations(fields));
  }
  targets.common.unknown = fields.rest();
  return targets;
}

}  // namespace curupira::tuf
