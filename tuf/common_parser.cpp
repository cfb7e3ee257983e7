#include "tuf/common_parser.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::tuf {
namespace {

/// "1.0.34" or "1.0": digits between dots, the first of them 1.
bool is_supported(std::string_view version) {
  const bool digits_and_dots = version.find_first_not_of("0123456789.") == std::string_view::npos;
  const auto dots = std::ranges::count(version, '.');
  return digits_and_dots && version.starts_with("1.") && !version.ends_with('.') &&
         (dots == 1 || dots == 2) && version.find("..") == std::string_view::npos;
}

}  // namespace

Result<Common> read_common(Fields& fields, std::string_view type) {
  CURUPIRA_TRY(const std::string found, fields.text("_type"));
  if (found != type)
    return fail(ErrorCode::tuf_wrong_type, "expected metadata of the type \"" + std::string(type) +
                                               "\", found \"" + excerpt(found, 40) + "\"");
  Common common;
  CURUPIRA_TRY(common.spec_version, fields.text("spec_version"));
  if (!is_supported(common.spec_version))
    return fail(ErrorCode::tuf_spec_version,
                fields.place("spec_version") + " is \"" + excerpt(common.spec_version, 40) + "\"");
  CURUPIRA_TRY(common.version, fields.number("version", 1));
  CURUPIRA_TRY(common.expires, fields.time("expires"));
  return common;
}

Result<RoleKeys> read_role_keys(Fields& fields) {
  RoleKeys role;
  CURUPIRA_TRY(role.key_ids, fields.texts("keyids"));
  auto sorted = role.key_ids;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    return fail(ErrorCode::tuf_key_twice,
                fields.place("keyids") + " has the key " + excerpt(*twice, 80) + " twice");
  CURUPIRA_TRY(role.threshold, fields.number("threshold", 1));
  return role;
}

Result<KeyTable> read_keys(Fields& fields) {
  CURUPIRA_TRY(const Fields listed, fields.object("keys"));
  KeyTable keys;
  for (const auto& [id, value] : listed.members()) {
    CURUPIRA_TRY(Key key, Key::parse(id, value));
    keys.emplace(id, std::move(key));
  }
  return keys;
}

Result<Hashes> read_hashes(Fields& fields, std::string_view name) {
  CURUPIRA_TRY(Fields listed, fields.object(name));
  if (listed.members().empty()) return fail(ErrorCode::tuf_field, fields.place(name) + " is empty");
  Hashes hashes;
  for (const auto& [algorithm, value] : listed.members()) {
    CURUPIRA_TRY(std::string hex, listed.text(algorithm));
    hashes.emplace(algorithm, std::move(hex));
  }
  return hashes;
}

}  // namespace curupira::tuf
