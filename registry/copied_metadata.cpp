#include "registry/copied_metadata.h"

#include "base/printable.h"
#include "registry/carrier_fetcher.h"
#include "tuf/metadata.h"

namespace curupira::registry {
namespace {

constexpr tuf::Limits limits{};

std::string root_file(std::int64_t version) {
  return tuf::metadata_file_name(tuf::root_role, version);
}

std::string fingerprint_of(const std::string& root) {
  return "sha256:" + digest_of(DigestAlgorithm::sha256, root).hex();
}

Result<> check_trust(const std::string& root, const std::optional<std::string>& known, const Carrier& from,
                     const Carrier& to, const CopyTrust& trust) {
  const std::string found = fingerprint_of(root);
  if (trust.fingerprint && found != "sha256:" + trust.fingerprint->hex())
    return fail(ErrorCode::root_fingerprint, "the first root of " + from.name() + "\nexpected sha256:" +
                                                 trust.fingerprint->hex() + "  found " + found);
  if (known && *known != root)
    return fail(Error(ErrorCode::registry_exists, to.name() + " is another registry, with the first root " +
                                                      fingerprint_of(*known) + "\nthat of " + from.name() +
                                                      " is " + found)
                    .with_help("name a place where nothing is, or the copy of this registry"));
  if (trust.fingerprint || known || trust.own) return {};
  return fail(ErrorCode::root_unconfirmed, "the first root of " + from.name() + " is " + found);
}

tl::unexpected<Error> behind(const Carrier& from, const Carrier& to, const std::string& what) {
  return fail(
      Error(ErrorCode::tuf_rollback, what)
          .with_help(to.name() + " has newer metadata than " + from.name() + "; nothing was changed"));
}

}  // namespace

Result<std::string> need_copied_file(Carrier& carrier, const std::string& name, std::uint64_t max_bytes) {
  CURUPIRA_TRY(auto file, CarrierFetcher(carrier).fetch(name, max_bytes));
  if (!file) return fail(ErrorCode::tuf_metadata_missing, carrier.name() + " has no " + printable(name));
  return *std::move(file);
}

Result<CopiedMetadata> CopiedMetadata::read(Carrier& from, Carrier& to, const CopyTrust& trust,
                                            std::chrono::sys_seconds now) {
  CURUPIRA_TRY(const std::string root, need_copied_file(from, root_file(1), limits.max_root_bytes));
  auto known = CarrierFetcher(to).fetch(root_file(1), limits.max_root_bytes);
  // A folder or bundle that is not there yet.
  if (!known && known.error().code() != ErrorCode::file_not_found) return fail(std::move(known).error());
  const std::optional<std::string> first = known ? *known : std::nullopt;
  CURUPIRA_CHECK(check_trust(root, first, from, to, trust));
  CURUPIRA_TRY(auto trusted, tuf::TrustedSet::begin(root, now, limits));
  if (trusted.root().common.version != 1)
    return fail(ErrorCode::tuf_root_skipped,
                root_file(1) + " has the version " + std::to_string(trusted.root().common.version));
  CopiedMetadata copied(std::move(trusted));
  copied.all_roots_.emplace_back(root_file(1), root);
  if (first) {
    auto followed = copied.follow_copy(to);
    if (!followed) return fail(std::move(followed).error().while_doing("reading " + to.name()));
    CURUPIRA_CHECK(copied.check_same_chain(from, to));
  } else {
    copied.new_roots_.push_back(copied.all_roots_.front());
  }
  const tuf::TrustedSet before = copied.trusted_;
  CURUPIRA_CHECK(copied.follow_new(from));
  CURUPIRA_CHECK(copied.trusted_.check_root());
  if (!copied.trusted_.root().has_consistent_snapshots())
    return fail(ErrorCode::tuf_field, "consistent_snapshot is not true: such a registry cannot be copied");
  CURUPIRA_CHECK(copied.update(from, to));
  CURUPIRA_TRY(copied.timeless_, tuf::TrustedSet::begin(copied.all_roots_.back().second, {}, limits));
  CURUPIRA_CHECK(copied.timeless_->recall_timestamp(copied.timestamp_));
  CURUPIRA_CHECK(copied.timeless_->recall_snapshot(copied.snapshot_));
  copied.timestamp_first_ = first && copied.holds_before_new_roots(before);
  return copied;
}

Result<> CopiedMetadata::follow_copy(Carrier& to) {
  for (int updates = 0; updates < limits.max_root_updates; ++updates) {
    const std::string name = root_file(trusted_.root().common.version + 1);
    CURUPIRA_TRY(auto next, CarrierFetcher(to).fetch(name, limits.max_root_bytes));
    if (!next) return {};
    CURUPIRA_CHECK(trusted_.update_root(*next));
    all_roots_.emplace_back(name, *std::move(next));
  }
  return fail(ErrorCode::tuf_root_chain, "more than " + std::to_string(limits.max_root_updates));
}

/// The last root of the copy is one of the registry: the roots before it lead to it and to no other.
Result<> CopiedMetadata::check_same_chain(Carrier& from, Carrier& to) {
  const auto& [name, bytes] = all_roots_.back();
  if (all_roots_.size() == 1) return {};
  CURUPIRA_TRY(const auto theirs, CarrierFetcher(from).fetch(name, limits.max_root_bytes));
  if (!theirs) return behind(from, to, from.name() + " has no " + name);
  if (*theirs == bytes) return {};
  return fail(Error(ErrorCode::registry_exists, to.name() + " has another " + name + " than " + from.name())
                  .with_help("both come from one registry and went different ways: one of them is wrong"));
}

Result<> CopiedMetadata::follow_new(Carrier& from) {
  for (int updates = 0;; ++updates) {
    const std::string name = root_file(trusted_.root().common.version + 1);
    CURUPIRA_TRY(auto next, CarrierFetcher(from).fetch(name, limits.max_root_bytes));
    if (!next) return {};
    if (updates == limits.max_root_updates)
      return fail(ErrorCode::tuf_root_chain, "more than " + std::to_string(limits.max_root_updates));
    CURUPIRA_CHECK(trusted_.update_root(*next));
    all_roots_.emplace_back(name, *next);
    new_roots_.emplace_back(name, *std::move(next));
  }
}

Result<> CopiedMetadata::update(Carrier& from, Carrier& to) {
  const std::string name = tuf::metadata_file_name(tuf::timestamp_role);
  std::optional<std::int64_t> snapshot_before;
  if (!is_first()) {
    CURUPIRA_TRY(timestamp_before_, CarrierFetcher(to).fetch(name, limits.max_timestamp_bytes));
    // What does not hold any more was signed with keys that have been replaced: it is no reason to refuse.
    if (timestamp_before_ && trusted_.recall_timestamp(*timestamp_before_))
      snapshot_before = trusted_.timestamp()->snapshot.version;
  }
  CURUPIRA_TRY(timestamp_, need_copied_file(from, name, limits.max_timestamp_bytes));
  auto fresh = trusted_.update_timestamp(timestamp_);
  if (!fresh && fresh.error().code() == ErrorCode::tuf_rollback)
    return behind(from, to, fresh.error().detail());
  if (!fresh) return fail(std::move(fresh).error());
  new_timestamp_ = *fresh;
  if (!new_timestamp_) timestamp_ = *timestamp_before_;  // the same version, as the copy has it
  if (snapshot_before) {
    const auto kept = CarrierFetcher(to).fetch(tuf::metadata_file_name(tuf::snapshot_role, *snapshot_before),
                                               limits.max_snapshot_bytes);
    if (kept && *kept && trusted_.recall_snapshot(**kept)) {
      for (const std::string& role : roles())
        before_[role] = *version_of(role);
      snapshot_ = **kept;
    }
  }
  if (trusted_.snapshot_is_current()) return {};
  const tuf::MetaFile& announced = trusted_.timestamp()->snapshot;
  CURUPIRA_TRY(snapshot_,
               need_copied_file(from, tuf::metadata_file_name(tuf::snapshot_role, announced.version),
                                limits.max_snapshot_bytes));
  auto updated = trusted_.update_snapshot(snapshot_);
  if (!updated && updated.error().code() == ErrorCode::tuf_rollback)
    return behind(from, to, updated.error().detail());
  CURUPIRA_CHECK(updated);
  new_snapshot_ = true;
  return {};
}

bool CopiedMetadata::holds_before_new_roots(const tuf::TrustedSet& before) const {
  tuf::TrustedSet client = before;
  return client.update_timestamp(timestamp_) && client.update_snapshot(snapshot_);
}

std::optional<std::int64_t> CopiedMetadata::version_of(std::string_view role) const {
  const tuf::MetaFile* const file = trusted_.snapshot()->find(role);
  return file != nullptr ? std::optional(file->version) : std::nullopt;
}

std::vector<std::string> CopiedMetadata::roles() const {
  constexpr std::string_view ending = ".json";
  std::vector<std::string> names;
  for (const auto& [name, file] : trusted_.snapshot()->meta)
    if (name.ends_with(ending)) names.push_back(name.substr(0, name.size() - ending.size()));
  return names;
}

Result<> CopiedMetadata::write(WritableCarrier& to) const {
  const std::string timestamp = tuf::metadata_file_name(tuf::timestamp_role);
  const auto write_roots = [&]() -> Result<> {
    for (const auto& [name, bytes] : to.is_written_whole() ? all_roots_ : new_roots_)
      CURUPIRA_CHECK(to.put_metadata(name, bytes));
    return {};
  };
  CURUPIRA_CHECK(to.put_metadata(
      tuf::metadata_file_name(tuf::snapshot_role, trusted_.snapshot()->common.version), snapshot_));
  if (timestamp_before_) {
    CURUPIRA_TRY(const auto now, CarrierFetcher(to).fetch(timestamp, limits.max_timestamp_bytes));
    if (now != timestamp_before_)
      return fail(ErrorCode::carrier_taken, timestamp + " of " + to.name() + " was changed meanwhile");
  }
  if (!timestamp_first_) CURUPIRA_CHECK(write_roots());
  CURUPIRA_CHECK(to.put_metadata(timestamp, timestamp_));
  return timestamp_first_ ? write_roots() : Result<>();
}

std::uint64_t CopiedMetadata::files() const {
  return new_roots_.size() + (new_timestamp_ ? 1 : 0) + (new_snapshot_ ? 1 : 0);
}

std::uint64_t CopiedMetadata::bytes() const {
  std::uint64_t bytes = (new_timestamp_ ? timestamp_.size() : 0) + (new_snapshot_ ? snapshot_.size() : 0);
  for (const auto& [name, root] : new_roots_)
    bytes += root.size();
  return bytes;
}

}  // namespace curupira::registry
