#include "tuf/trusted_set.h"

#include "base/printable.h"
#include "base/timestamp.h"
#include "tuf/document.h"
#include "tuf/metadata_parser.h"
#include "tuf/verification.h"

namespace curupira::tuf {
namespace {

std::string named(std::string_view role) {
  return printable(listed_file_name(role));
}

tl::unexpected<Error> rollback(const std::string& what, std::int64_t found, std::int64_t trusted) {
  return fail(ErrorCode::tuf_rollback, what + " has the version " + std::to_string(found) + ", but version " +
                                           std::to_string(trusted) + " was seen before");
}

Result<> check_version(const Common& common, const MetaFile& announced, const std::string& what) {
  if (common.version == announced.version) return {};
  return fail(ErrorCode::tuf_mix_and_match, what + ": announced is version " +
                                                std::to_string(announced.version) + ", found is version " +
                                                std::to_string(common.version));
}

/// Whether this is the file that was announced and may still be used.
bool is_current(std::string_view file, const Common& common, const MetaFile& announced,
                std::chrono::sys_seconds time) {
  return common.version == announced.version && check_announced(file, announced, {}) &&
         check_expiry(common, time, {});
}

}  // namespace

Result<TrustedSet> TrustedSet::begin(std::string_view root, std::chrono::sys_seconds update_time,
                                     const Limits& limits) {
  CURUPIRA_TRY(const Document document, parse_document(root, limits));
  CURUPIRA_TRY(Root read, read_root(document.content));
  CURUPIRA_CHECK(check_signatures(document, read.role(root_role), read.keys, named(root_role)));
  return TrustedSet(std::move(read), update_time, limits);
}

Result<json::Object> TrustedSet::signed_content(std::string_view file, std::string_view role) const {
  CURUPIRA_TRY(Document document, parse_document(file, limits_));
  CURUPIRA_CHECK(check_signatures(document, root_.role(role), root_.keys, named(role)));
  return std::move(document.content);
}

Result<> TrustedSet::update_root(std::string_view file) {
  const std::int64_t next = root_.common.version + 1;
  const std::string what = metadata_file_name(root_role, next);
  CURUPIRA_TRY(const Document document, parse_document(file, limits_));
  CURUPIRA_CHECK(check_signatures(document, root_.role(root_role), root_.keys,
                                  what + ", by the keys of the root before it"));
  CURUPIRA_TRY(Root fresh, read_root(document.content));
  CURUPIRA_CHECK(check_signatures(document, fresh.role(root_role), fresh.keys, what + ", by its own keys"));
  if (fresh.common.version != next)
    return fail(ErrorCode::tuf_root_skipped,
                what + " has the version " + std::to_string(fresh.common.version));
  root_ = std::move(fresh);
  return {};
}

Result<> TrustedSet::check_root() const {
  return check_expiry(root_.common, update_time_, named(root_role));
}

Result<> TrustedSet::recall_timestamp(std::string_view file) {
  CURUPIRA_TRY(const json::Object content, signed_content(file, timestamp_role));
  CURUPIRA_TRY(timestamp_, read_timestamp(content));
  return {};
}

Result<bool> TrustedSet::update_timestamp(std::string_view file) {
  const std::string what = named(timestamp_role);
  CURUPIRA_TRY(const json::Object content, signed_content(file, timestamp_role));
  CURUPIRA_TRY(Timestamp fresh, read_timestamp(content));
  if (timestamp_) {
    if (fresh.common.version < timestamp_->common.version)
      return rollback(what, fresh.common.version, timestamp_->common.version);
    if (fresh.common.version == timestamp_->common.version) {
      const auto expired = check_expiry(timestamp_->common, update_time_, what);
      if (!expired) return fail(ErrorCode::tuf_freeze, expired.error().detail());
      return false;
    }
    if (fresh.snapshot.version < timestamp_->snapshot.version)
      return rollback(named(snapshot_role) + " in " + what, fresh.snapshot.version,
                      timestamp_->snapshot.version);
  }
  CURUPIRA_CHECK(check_expiry(fresh.common, update_time_, what));
  timestamp_ = std::move(fresh);
  return true;
}

Result<> TrustedSet::recall_snapshot(std::string_view file) {
  CURUPIRA_TRY(const json::Object content, signed_content(file, snapshot_role));
  CURUPIRA_TRY(snapshot_, read_snapshot(content));
  // Its digests are not demanded: those of the new timestamp are of the new snapshot.
  snapshot_is_current_ = is_current(file, snapshot_->common, timestamp_->snapshot, update_time_);
  return {};
}

Result<> TrustedSet::update_snapshot(std::string_view file) {
  const std::string what = named(snapshot_role);
  CURUPIRA_CHECK(check_announced(file, timestamp_->snapshot, what));
  CURUPIRA_TRY(const json::Object content, signed_content(file, snapshot_role));
  CURUPIRA_TRY(Snapshot fresh, read_snapshot(content));
  CURUPIRA_CHECK(check_version(fresh.common, timestamp_->snapshot, what));
  CURUPIRA_CHECK(check_no_rollback(fresh));
  CURUPIRA_CHECK(check_expiry(fresh.common, update_time_, what));
  snapshot_ = std::move(fresh);
  snapshot_is_current_ = true;
  return {};
}

Result<> TrustedSet::check_no_rollback(const Snapshot& fresh) const {
  if (!snapshot_) return {};
  for (const auto& [name, trusted] : snapshot_->meta) {
    const auto found = fresh.meta.find(name);
    const std::string what = excerpt(name) + " in " + named(snapshot_role);
    if (found == fresh.meta.end())
      return fail(ErrorCode::tuf_role_withdrawn, what + " is not listed any more");
    if (found->second.version < trusted.version)
      return rollback(what, found->second.version, trusted.version);
  }
  return {};
}

Result<MetaFile> TrustedSet::announced(const std::string& role) const {
  const MetaFile* const file = snapshot_ ? snapshot_->find(role) : nullptr;
  if (file != nullptr) return *file;
  return fail(ErrorCode::tuf_metadata_missing, named(snapshot_role) + " does not list " + named(role));
}

Result<Targets> TrustedSet::verify_targets(std::string_view file, const std::string& name,
                                           const RoleKeys& role, const KeyTable& keys) const {
  const std::string what = named(name);
  CURUPIRA_TRY(const MetaFile announcement, announced(name));
  CURUPIRA_CHECK(check_announced(file, announcement, what));
  CURUPIRA_TRY(const Document document, parse_document(file, limits_));
  CURUPIRA_CHECK(check_signatures(document, role, keys, what));
  CURUPIRA_TRY(Targets targets, read_targets(document.content));
  CURUPIRA_CHECK(check_version(targets.common, announcement, what));
  CURUPIRA_CHECK(check_expiry(targets.common, update_time_, what));
  return targets;
}

}  // namespace curupira::tuf
