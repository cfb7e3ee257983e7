#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "registry/package_name.h"
#include "registry/repository_folder.h"
#include "registry/repository_lock.h"
#include "registry/signing_keys.h"
#include "tuf/trust_store.h"
#include "tuf/trusted_set.h"

namespace curupira::registry {

/// What working on a registry needs; all of it is passed in and outlives the registry.
struct RepositoryTools {
  FileSystem& files;
  const Clock& clock;
  SigningKeys& keys;
  Diagnostics& diagnostics;
};

struct RepositoryPlace {
  std::filesystem::path folder;
  /// Keys of the registry, and below trust/ what was seen of it last: a folder that an older copy was put
  /// into is refused. It does not have to be there.
  std::filesystem::path keys;
};

/// Who signs a role of targets metadata.
struct TargetsRole {
  std::string name;
  tuf::RoleKeys keys;
  tuf::KeyTable table;
  bool operator==(const TargetsRole&) const = default;
};

/// A registry of extension packages: a TUF repository in a folder, as those see it who write it. It is read
/// as a client reads it, since somebody may have changed the folder: nothing is signed again that was not
/// verified first. Expired metadata is read, too: it is here to be renewed.
class Repository {
 public:
  /// For changing it: holds its lock. Errors: registry_missing; registry_busy with who changes it; those of
  /// TrustedSet.
  static Result<Repository> open_for_change(const RepositoryTools& tools, const RepositoryPlace& place,
                                            const LockRequest& request);
  static Result<Repository> open_to_read(const RepositoryTools& tools, const RepositoryPlace& place);

  RepositoryFolder& folder() { return folder_; }
  const RepositoryFolder& folder() const { return folder_; }
  const RepositoryTools& tools() const { return tools_; }
  std::chrono::sys_seconds now() const;

  const tuf::Root& root() const { return trusted_.root(); }
  const tuf::Timestamp& timestamp() const { return *trusted_.timestamp(); }
  const tuf::Snapshot& snapshot() const { return *trusted_.snapshot(); }
  /// The next root, when one waits for signatures.
  const std::optional<tuf::Document>& pending_root() const { return pending_root_; }
  /// Its content.
  Result<std::optional<tuf::Root>> next_root() const;

  /// The top-level targets role.
  TargetsRole top_role() const;
  /// "bins", "search" or a publisher's. Error: registry_role.
  Result<TargetsRole> delegated_role(std::string_view name);
  /// Who signs the package's metadata: the first publisher whose names it is one of, else a bin.
  Result<TargetsRole> role_for(const PackageName& name);
  /// The name of that role.
  Result<std::string> role_name_for(const PackageName& name);
  /// Every bin, in order.
  Result<std::vector<TargetsRole>> bin_roles();
  /// The publishers, in the order in which they count.
  Result<std::vector<tuf::DelegatedRole>> publishers();

  /// Its newest metadata, also when that waits in metadata-pending/; nothing when there is none yet. Errors:
  /// those of verifying.
  Result<std::optional<tuf::Targets>> read(const TargetsRole& role);
  /// What clients see of it, without what waits.
  Result<std::optional<tuf::Targets>> read_published(const TargetsRole& role) const;
  /// The metadata of the top-level targets role, with what waits; until `reload`.
  Result<const tuf::Targets*> targets();

  /// From now on what waits in metadata-pending/ is passed over, as clients do.
  void pass_over_pending() {
    pass_over_pending_ = true;
    top_.reset();
    bins_.reset();
  }

  /// Reads all again and keeps it as what was seen last.
  Result<> reload();

 private:
  Repository(const RepositoryTools& tools, RepositoryFolder folder, std::optional<RepositoryLock> lock,
             std::optional<tuf::TrustStore> trust, tuf::TrustedSet trusted)
      : tools_(tools),
        folder_(std::move(folder)),
        lock_(std::move(lock)),
        trust_(std::move(trust)),
        trusted_(std::move(trusted)) {}
  static Result<Repository> open(const RepositoryTools& tools, const RepositoryPlace& place,
                                 RepositoryFolder folder, std::optional<RepositoryLock> lock);
  Result<> find_pending_root();
  Result<const tuf::Delegations*> top_delegations();
  /// What the role "bins" says of the bins.
  Result<const tuf::Delegations*> bin_delegations();

  RepositoryTools tools_;
  RepositoryFolder folder_;
  std::optional<RepositoryLock> lock_;
  std::optional<tuf::TrustStore> trust_;
  tuf::TrustedSet trusted_;
  std::optional<tuf::Document> pending_root_ = {};
  bool pass_over_pending_ = false;
  std::optional<tuf::Targets> top_ = {};  // both are read once, since every package's way goes through them
  std::optional<tuf::Targets> bins_ = {};
};

/// A file of metadata-pending/: "3.acme.json".
struct PendingFile {
  std::string name;
  std::string role = {};
  std::int64_t version = 0;
};
/// Those that have a name of this form, by role and version.
Result<std::vector<PendingFile>> pending_files(const RepositoryFolder& folder);

/// "sha256:<hex>" of the first root's file: what `registry init` prints, and pins the registry.
Result<std::string> root_fingerprint(const RepositoryFolder& folder);

}  // namespace curupira::registry
