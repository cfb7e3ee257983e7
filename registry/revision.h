#pragma once

#include <optional>
#include <string>
#include <vector>

#include "registry/repository.h"

namespace curupira::registry {

/// What became of a change.
struct RevisionOutcome {
  /// Clients see it. Else it waits in metadata-pending/ for the online key (`registry refresh`).
  bool visible = true;
  std::int64_t snapshot = 0;  ///< version that clients see now
  /// The new root, when there is one.
  enum class RootState { none, published, needs_signatures, needs_online_keys };
  RootState root = RootState::none;
  std::vector<std::string> written = {};  ///< names of metadata files, in the order of writing
};

/// One change of a registry's metadata: new versions of some roles appear together, or none does. Everything
/// is signed before anything is written; then targets, the files of the roles and the snapshot are written,
/// then the timestamp, which makes them visible, then a new root. Killed in between, clients see the old
/// state, and the next change goes on from it.
///
/// The old and the new keys sign what a new root changes. Where an old key is lost, the new root comes before
/// the timestamp that only the new key signed; the next change finishes what was killed in between.
class Revision {
 public:
  /// The repository has to outlive this.
  explicit Revision(Repository& repository) : repository_(repository) {}

  /// Version and expiry of the content are set when it is signed.
  void put(TargetsRole role, tuf::Targets content);
  /// The file is there before anything names it.
  void upload(TargetUpload upload) { uploads_.push_back(std::move(upload)); }
  /// Takes over what its publisher signed. `document` is the file, which was verified.
  void adopt(const PendingFile& file, std::string bytes);
  /// Version and expiry are set as well. The keys of the old and the new root sign all that changes.
  void set_root(tuf::Root next) { next_root_ = std::move(next); }
  /// The root that waits, with more signatures.
  void set_signed_root(tuf::Document root) { signed_root_ = std::move(root); }
  /// The snapshot is signed anew, also when nothing in it changes.
  void renew_snapshot() { renew_snapshot_ = true; }

  /// Without any change it signs the timestamp anew. Errors: registry_key_missing with the role whose keys
  /// are not here; registry_busy; file_failed.
  Result<RevisionOutcome> commit();
  /// Whether the keys that are here can make a change visible.
  Result<bool> can_publish();

 private:
  struct Role {
    TargetsRole role;
    tuf::Targets content;
  };
  struct Adopted {
    PendingFile file;
    std::string bytes;
  };
  struct Signed {
    std::string name;
    std::string role;
    std::int64_t version = 0;
    std::string bytes;
  };

  Result<std::int64_t> next_version(const std::string& role) const;
  Result<std::vector<Signed>> sign_roles();
  Result<Signed> sign_snapshot(const std::vector<Signed>& roles);
  Result<Signed> sign_timestamp(const Signed* snapshot);
  Result<> write_pending(const std::vector<Signed>& roles, RevisionOutcome& outcome);
  Result<> write_visible(std::vector<Signed> roles, RevisionOutcome& outcome);
  Result<> write_root_and_timestamp(const Signed& timestamp, RevisionOutcome& outcome);
  Result<> finish_root(RevisionOutcome& outcome);
  Result<> prepare_root();
  std::vector<const tuf::RoleKeys*> keys_of(std::string_view role);
  bool has_enough(const tuf::Root& root) const;
  Result<> write_uploads();

  Repository& repository_;
  std::vector<Role> roles_;
  std::vector<Adopted> adopted_;
  std::vector<TargetUpload> uploads_;
  std::optional<tuf::Root> next_root_;
  std::optional<tuf::Document> signed_root_;
  bool renew_snapshot_ = false;

  std::optional<tuf::Document> root_ = {};  // the next one, with the signatures that it has
  std::optional<tuf::Root> next_ = {};      // its content
  bool root_complete_ = false;              // both thresholds are met
  bool root_first_ = false;                 // something is signed by keys of the next root only
};

/// Signs the content with the keys of `roles` that are here; the first has to reach its threshold. Error:
/// registry_key_missing with the name of the role.
Result<std::string> sign_metadata(SigningKeys& keys, json::Object content, const std::string& name,
                                  const std::vector<const tuf::RoleKeys*>& roles);

/// "root has the keys 1a2b…, 3c4d…; 2 of them have to sign": for errors.
std::string describe_keys(const std::string& role, const tuf::RoleKeys& keys);

}  // namespace curupira::registry
