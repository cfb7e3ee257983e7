#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "tuf/limits.h"
#include "tuf/metadata.h"

namespace curupira::tuf {

/// The top-level metadata that is trusted in one update, and the rules by which other takes its place
/// (TUF 1.0.34 §5.3–5.6). Nothing is read or written here. A refused file changes nothing.
///
/// `recall_…` takes what an earlier update left: signed by the current root's keys, it counts for the
/// rollback checks even when it has expired. `update_…` takes what the repository serves. The order is that
/// of the specification: roots, timestamp, snapshot, targets.
class TrustedSet {
 public:
  /// `root` as it was pinned, or as an earlier update left it: has to be signed by its own keys. All checks
  /// of expiry are against `update_time`. Errors: those of the parsers and of check_signatures.
  static Result<TrustedSet> begin(std::string_view root, std::chrono::sys_seconds update_time,
                                  const Limits& limits);

  /// The next root: signed by the keys of the trusted one and by its own. Errors: tuf_root_skipped for
  /// another version than the next.
  Result<> update_root(std::string_view file);
  /// To be asked when the last root was read. Error: tuf_expired.
  Result<> check_root() const;

  Result<> recall_timestamp(std::string_view file);
  /// False: the repository has the version that is trusted already, which stays. Errors: tuf_rollback when
  /// this or its snapshot is older; tuf_expired; tuf_freeze when it is the trusted version and has expired.
  Result<bool> update_timestamp(std::string_view file);

  Result<> recall_snapshot(std::string_view file);
  /// Whether what was recalled is the one that the timestamp announces, and has not expired.
  bool snapshot_is_current() const { return snapshot_is_current_; }
  /// Errors: tuf_mix_and_match; tuf_rollback when a role's metadata would be older than before;
  /// tuf_role_withdrawn; tuf_expired.
  Result<> update_snapshot(std::string_view file);

  /// Metadata of the role `name`, delegated by whoever has these keys for it: the root, or the targets
  /// metadata through which the search came. Errors: tuf_metadata_missing when the snapshot does not list the
  /// role; tuf_mix_and_match; tuf_expired.
  Result<Targets> verify_targets(std::string_view file, const std::string& name, const RoleKeys& role,
                                 const KeyTable& keys) const;

  const Root& root() const { return root_; }
  /// Set after recall_ or update_ succeeded.
  const std::optional<Timestamp>& timestamp() const { return timestamp_; }
  const std::optional<Snapshot>& snapshot() const { return snapshot_; }
  std::chrono::sys_seconds update_time() const { return update_time_; }
  /// Error: tuf_metadata_missing.
  Result<MetaFile> announced(const std::string& role) const;

 private:
  TrustedSet(Root root, std::chrono::sys_seconds update_time, const Limits& limits)
      : root_(std::move(root)), update_time_(update_time), limits_(limits) {}
  Result<json::Object> signed_content(std::string_view file, std::string_view role) const;
  Result<> check_no_rollback(const Snapshot& fresh) const;

  Root root_;
  std::chrono::sys_seconds update_time_;
  Limits limits_;
  std::optional<Timestamp> timestamp_ = {};
  std::optional<Snapshot> snapshot_ = {};
  bool snapshot_is_current_ = false;
};

}  // namespace curupira::tuf
