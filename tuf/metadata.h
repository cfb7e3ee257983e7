#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "tuf/key.h"

namespace curupira::tuf {

/// The names of the four top-level roles; every other role is a delegated one.
inline constexpr std::string_view root_role = "root";
inline constexpr std::string_view timestamp_role = "timestamp";
inline constexpr std::string_view snapshot_role = "snapshot";
inline constexpr std::string_view targets_role = "targets";
bool is_top_level_role(std::string_view name);

/// What the metadata of every role has (TUF 1.0.34 §4). `unknown` here and below are members that this
/// program does not know: they are part of what is signed, and are written again as they were.
struct Common {
  std::string spec_version = "1.0.34";
  std::int64_t version = 1;               ///< at least 1
  std::chrono::sys_seconds expires = {};  ///< not to be trusted from this second on
  json::Object unknown = {};
  bool operator==(const Common&) const = default;
};

/// Whose signatures count for a role, and how many different keys have to have signed.
struct RoleKeys {
  std::vector<std::string> key_ids = {};  ///< each once
  std::int64_t threshold = 1;             ///< at least 1
  json::Object unknown = {};
  bool operator==(const RoleKeys&) const = default;
};

struct Root {
  Common common = {};
  std::optional<bool> consistent_snapshot = {};
  KeyTable keys = {};
  std::map<std::string, RoleKeys, std::less<>> roles =
      {};  ///< the top-level roles, and others that were named
  bool has_consistent_snapshots() const { return consistent_snapshot.value_or(false); }
  const RoleKeys& role(std::string_view top_level_name) const { return roles.find(top_level_name)->second; }
  bool operator==(const Root&) const = default;
};

/// Algorithm → hexadecimal digest as the metadata says them, unknown algorithms too.
using Hashes = std::map<std::string, std::string, std::less<>>;

/// What one role says of the metadata file of another.
struct MetaFile {
  std::int64_t version = 1;
  std::optional<std::uint64_t> length = {};  ///< bytes
  std::optional<Hashes> hashes = {};
  json::Object unknown = {};
  bool operator==(const MetaFile&) const = default;
};

struct Timestamp {
  Common common = {};
  MetaFile snapshot = {};
  bool operator==(const Timestamp&) const = default;
};

struct Snapshot {
  Common common = {};
  std::map<std::string, MetaFile, std::less<>> meta = {};  ///< by file name: "targets.json"
  const MetaFile* find(std::string_view role) const;
  bool operator==(const Snapshot&) const = default;
};

struct TargetFile {
  std::uint64_t length = 0;  ///< bytes
  Hashes hashes = {};        ///< at least one
  std::optional<json::Object> custom = {};
  json::Object unknown = {};
  bool operator==(const TargetFile&) const = default;
};

struct DelegatedRole {
  std::string name = {};
  RoleKeys keys = {};
  std::optional<bool> terminating = {};
  std::optional<std::vector<std::string>> paths = {};  ///< patterns; or
  std::optional<std::vector<std::string>> path_hash_prefixes =
      {};  ///< hexadecimal; or neither: nothing matches
  bool operator==(const DelegatedRole&) const = default;
};

/// 2^bit_length delegated roles of the same keys, named prefix-<number of the bin> (TAP 15).
struct SuccinctRoles {
  RoleKeys keys = {};
  int bit_length = 1;  ///< 1 to 32
  std::string name_prefix = {};
  bool operator==(const SuccinctRoles&) const = default;
};

struct Delegations {
  KeyTable keys = {};
  std::optional<std::vector<DelegatedRole>> roles = {};  ///< in the order in which they count; or
  std::optional<SuccinctRoles> succinct_roles = {};
  json::Object unknown = {};
  bool operator==(const Delegations&) const = default;
};

/// Of the top-level targets role and of every delegated one.
struct Targets {
  Common common = {};
  std::map<std::string, TargetFile, std::less<>> targets = {};  ///< by path, as it was written
  std::optional<Delegations> delegations = {};
  bool operator==(const Targets&) const = default;
};

/// "3.targets.json", "timestamp.json": a role's metadata file in a repository, and without `version` where it
/// is kept. The role's name is percent-encoded: the result is one segment of a path.
std::string metadata_file_name(std::string_view role, std::optional<std::int64_t> version = {});

/// The same without encoding, as snapshot and timestamp list it: "targets.json".
std::string listed_file_name(std::string_view role);

}  // namespace curupira::tuf
