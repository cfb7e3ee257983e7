#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "registry/repository.h"
#include "registry/revision.h"

namespace curupira::registry {

/// Who signs a role, for people.
struct RoleListing {
  std::string role;  ///< "root", "targets", "online", or a publisher's
  tuf::RoleKeys keys;
  std::vector<std::string> patterns = {};  ///< of a publisher: names of packages, "@acme/*"
  std::int64_t version = 0;                ///< of its metadata; 0: none yet. Of "online": of the timestamp
  std::chrono::sys_seconds expires = {};   ///< of that
};

/// In the order root, targets, online, publishers.
Result<std::vector<RoleListing>> list_keys(Repository& repository);

/// Error: registry_role, with those that there are.
Result<RoleListing> find_role(Repository& repository, const std::string& role);

struct KeyChange {
  std::string role;  ///< as in RoleListing
  std::vector<tuf::Key> add = {};
  std::vector<std::string> remove = {};  ///< key ids, or beginnings of which one key of the role begins so
  std::optional<std::int64_t> threshold = {};
};

/// Changes whose signatures count for a role, and signs anew what the keys that went had signed. A change of
/// root, targets and online makes a new root. Errors: registry_role, registry_threshold, root_pending,
/// registry_key_missing.
Result<RevisionOutcome> change_keys(Repository& repository, const KeyChange& change);

/// The key of the role that is meant by the beginning of its id; without one, the only key. Error:
/// registry_role.
Result<std::string> find_key(const RoleListing& listing, const std::optional<std::string>& beginning);

/// Lets the holder of `key` alone publish the names of `pattern`: "@acme/*", "acme-*". `role` is what the
/// publisher is called. Errors: delegation_invalid, also when packages have such names already.
Result<RevisionOutcome> delegate(Repository& repository, const std::string& pattern, const std::string& role,
                                 const tuf::Key& key);

/// Adds the signatures of the keys that are here to the root that waits, and publishes it when there are
/// enough. Error: root_not_pending.
Result<RevisionOutcome> sign_root(Repository& repository);

}  // namespace curupira::registry
