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

/// What takes a delegation back.
struct UndelegateRequest {
  std::string what;  ///< a pattern as it was delegated, or the name of a publisher: all of its patterns
  bool with_packages = false;  ///< also when packages are published under these names, which clients lose
};
struct UndelegateOutcome {
  RevisionOutcome revision;
  std::string role;
  std::vector<std::string> patterns = {};  ///< that belong to nobody now
  std::vector<std::string> packages = {};  ///< that clients do not find any more
};
/// The names belong to the keepers again. Errors: registry_role when nobody has such a pattern or name;
/// delegation_invalid when packages would be lost.
Result<UndelegateOutcome> undelegate(Repository& repository, const UndelegateRequest& request);

/// Adds the signatures of the keys that are here to the root that waits, and publishes it when there are
/// enough. Error: root_not_pending.
Result<RevisionOutcome> sign_root(Repository& repository);

}  // namespace curupira::registry
