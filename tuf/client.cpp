#include "tuf/client.h"

#include <algorithm>

#include "base/printable.h"
#include "base/timestamp.h"
#include "tuf/delegation_match.h"
#include "tuf/delegation_search.h"

namespace curupira::tuf {
namespace {

/// Clocks are set right by some minutes every day; that is not worth a word.
constexpr std::chrono::minutes worth_a_warning{10};

struct UpdateTime {
  std::chrono::sys_seconds time;
  std::string note;  ///< what to know when something has expired; empty when the clock is right
};

UpdateTime update_time(const TrustStore& store, const Clock& clock, Diagnostics& diagnostics) {
  const auto now = std::chrono::floor<std::chrono::seconds>(clock.now());
  const auto highest = store.highest_time();
  if (!highest || *highest <= now) return {now, {}};
  UpdateTime result{*highest, "this machine's clock says " + format_timestamp(now) + ", but it was " +
                                  format_timestamp(*highest) + " before; when that was wrong, remove " +
                                  printable(store.highest_time_file().string())};
  if (*highest - now > worth_a_warning) diagnostics.warn("the clock has gone back: " + result.note);
  return result;
}

tl::unexpected<Error> not_there(std::string_view name) {
  return fail(ErrorCode::tuf_metadata_missing, "the registry has no " + printable(name));
}

}  // namespace

Result<> pin_root(FileSystem& files, const std::filesystem::path& folder, std::string_view root,
                  const Limits& limits) {
  if (root.size() > limits.max_root_bytes)
    return fail(ErrorCode::tuf_metadata_too_large,
                "the root is larger than " + format_bytes(limits.max_root_bytes));
  CURUPIRA_CHECK(TrustedSet::begin(root, {}, limits));
  TrustStore store(files, folder);
  CURUPIRA_TRY(const FileLock lock, store.lock());
  return store.write(root_role, root);
}

Result<Client> Client::begin(FileSystem& files, const std::filesystem::path& folder, MetadataFetcher& fetcher,
                             const Clock& clock, Diagnostics& diagnostics, const Limits& limits) {
  TrustStore store(files, folder);
  CURUPIRA_TRY(FileLock lock, store.lock());
  UpdateTime time = update_time(store, clock, diagnostics);
  CURUPIRA_TRY(const auto root, store.read(root_role, limits.max_root_bytes));
  if (!root) return fail(ErrorCode::tuf_trust_missing, printable(folder.string()));
  auto trusted = TrustedSet::begin(*root, time.time, limits);
  if (!trusted) {
    return fail(
        Error(ErrorCode::tuf_trust_damaged, printable((folder / metadata_file_name(root_role)).string()))
            .caused_by(std::move(trusted).error()));
  }
  return Client(std::move(store), std::move(lock), *std::move(trusted), *root, fetcher, limits,
                std::move(time.note));
}

Client::Client(TrustStore store, FileLock lock, TrustedSet trusted, std::string root,
               MetadataFetcher& fetcher, const Limits& limits, std::string clock_note)
    : store_(std::move(store)),
      lock_(std::move(lock)),
      trusted_(std::move(trusted)),
      fetcher_(fetcher),
      limits_(limits),
      clock_note_(std::move(clock_note)) {
  trusted_files_.emplace(root_role, std::move(root));
}

Result<> Client::refresh() {
  const auto update = [&]() -> Result<> {
    CURUPIRA_CHECK(update_root());
    CURUPIRA_CHECK(update_timestamp());
    CURUPIRA_CHECK(update_snapshot());
    const Root& root = trusted_.root();
    const std::string name(targets_role);
    CURUPIRA_CHECK(targets_of(name, std::string(root_role), root.role(targets_role), root.keys));
    return {};
  };
  CURUPIRA_CHECK(resume());
  if (auto updated = update(); !updated) return fail(explained(std::move(updated).error()));
  // Not before: a clock that was wrong once must not make all later updates fail.
  if (const auto highest = store_.highest_time(); !highest || *highest < trusted_.update_time())
    return store_.write_highest_time(trusted_.update_time());
  return {};
}

Result<> Client::update_root() {
  std::optional<std::string> newest;
  const auto followed = follow_roots(newest);
  // Also when a later one was refused: the next update goes on from here. One write for the whole chain,
  // since only its end counts.
  if (newest) {
    CURUPIRA_CHECK(store_.write(root_role, *newest));
    trusted_files_[std::string(root_role)] = *std::move(newest);
  }
  CURUPIRA_CHECK(followed);
  return trusted_.check_root();
}

Result<> Client::follow_roots(std::optional<std::string>& newest) {
  for (int updates = 0;; ++updates) {
    const std::string name = metadata_file_name(root_role, trusted_.root().common.version + 1);
    auto file = fetcher_.fetch(name, limits_.max_root_bytes);
    // Some web servers answer so for a file that is not there. When it was the credentials, the timestamp,
    // which has to be there, is refused in the same way.
    const bool refused = !file && file.error().code() == ErrorCode::credentials_refused;
    if (!file && !refused) return fail(std::move(file).error());
    if (refused || !*file) return {};
    if (updates == limits_.max_root_updates)
      return fail(ErrorCode::tuf_root_chain, "more than " + std::to_string(limits_.max_root_updates));
    CURUPIRA_CHECK(trusted_.update_root(**file));
    newest = **std::move(file);
  }
}

Result<> Client::update_timestamp() {
  // What is kept and does not hold for the current root was signed with keys that have been replaced: without
  // it, whoever had those keys cannot hold clients at a version far ahead (§5.3.11).
  std::string& trusted_file = trusted_files_[std::string(timestamp_role)];
  if (auto file = kept(timestamp_role, limits_.max_timestamp_bytes)) {
    static_cast<void>(trusted_.recall_timestamp(*file));
    trusted_file = *std::move(file);
  }
  const std::string name = metadata_file_name(timestamp_role);
  CURUPIRA_TRY(auto file, fetcher_.fetch(name, limits_.max_timestamp_bytes));
  if (!file) return not_there(name);
  CURUPIRA_TRY(const bool fresh, trusted_.update_timestamp(*file));
  if (!fresh) return {};
  trusted_file = *std::move(file);
  return store_.write(timestamp_role, trusted_file);
}

Result<> Client::update_snapshot() {
  std::string& trusted_file = trusted_files_[std::string(snapshot_role)];
  if (auto file = kept(snapshot_role, limits_.max_snapshot_bytes)) {
    static_cast<void>(trusted_.recall_snapshot(*file));
    trusted_file = *std::move(file);
  }
  if (trusted_.snapshot_is_current()) return {};
  CURUPIRA_TRY(std::string file,
               fetch_announced(snapshot_role, trusted_.timestamp()->snapshot, limits_.max_snapshot_bytes));
  CURUPIRA_CHECK(trusted_.update_snapshot(file));
  trusted_file = std::move(file);
  return store_.write(snapshot_role, trusted_file);
}

Result<TargetInfo> Client::find_target(const TargetName& name) {
  return search(name, [](const ReadRole&) {});
}

Result<TargetProof> Client::prove_target(const TargetName& name) {
  TargetProof proof{.time = trusted_.update_time(), .metadata = trusted_files_};
  CURUPIRA_CHECK(
      search(name, [&](const ReadRole& role) { proof.metadata.insert_or_assign(role.name, role.file); }));
  return proof;
}

Result<std::shared_ptr<const Targets>> Client::delegated_targets(const std::vector<std::string>& path) {
  CURUPIRA_CHECK(resume());
  std::string delegator(targets_role);
  const Root& root = trusted_.root();
  CURUPIRA_TRY(auto targets,
               targets_of(delegator, std::string(root_role), root.role(targets_role), root.keys));
  for (const std::string& name : path) {
    const RoleKeys* const keys = targets->delegations ? keys_for(*targets->delegations, name) : nullptr;
    if (keys == nullptr)
      return fail(ErrorCode::tuf_metadata_missing,
                  printable(delegator) + " delegates to no role " + printable(name));
    const auto delegating = targets;
    auto below = targets_of(name, delegator, *keys, delegating->delegations->keys);
    if (!below) return fail(explained(std::move(below).error()));
    targets = *std::move(below);
    delegator = name;
  }
  return targets;
}

std::shared_ptr<const Targets> Client::read_targets(std::string_view role) const {
  const auto read = read_.find(role);
  return read == read_.end() ? nullptr : read->second.targets;
}

Result<TargetInfo> Client::search(const TargetName& name,
                                  const std::function<void(const ReadRole&)>& passed) {
  CURUPIRA_CHECK(resume());
  auto found = search_delegations(trusted_.root(), name, limits_,
                                  [&](const std::string& role, const std::string& delegator,
                                      const RoleKeys& role_keys, const KeyTable& keys) {
                                    auto targets = targets_of(role, delegator, role_keys, keys);
                                    if (targets) passed(read_.at(role));
                                    return targets;
                                  });
  if (!found) return fail(explained(std::move(found).error()));
  return found;
}

Result<> Client::resume() {
  if (lock_) return {};
  CURUPIRA_TRY(lock_, store_.lock());
  return {};
}

Result<std::shared_ptr<const Targets>> Client::targets_of(const std::string& name,
                                                          const std::string& delegator, const RoleKeys& role,
                                                          const KeyTable& keys) {
  const auto verify = [&](std::string file) -> Result<std::shared_ptr<const Targets>> {
    CURUPIRA_TRY(Targets targets, trusted_.verify_targets(file, name, role, keys));
    ReadRole& read = read_[name];
    read.name = name;
    read.file = std::move(file);
    read.targets = std::make_shared<const Targets>(std::move(targets));
    read.delegators.insert(delegator);
    return read.targets;
  };
  if (const auto read = read_.find(name); read != read_.end()) {
    if (read->second.delegators.contains(delegator)) return read->second.targets;
    // One role's word for it is not another's: each names the keys itself.
    return verify(read->second.file);
  }
  if (auto file = kept(name, limits_.max_targets_bytes)) {
    if (auto verified = verify(std::move(*file))) return verified;
  }
  CURUPIRA_TRY(const MetaFile announced, trusted_.announced(name));
  CURUPIRA_TRY(std::string file, fetch_announced(name, announced, limits_.max_targets_bytes));
  CURUPIRA_TRY(auto targets, verify(file));
  CURUPIRA_CHECK(store_.write(name, file));
  return targets;
}

Result<std::string> Client::fetch_announced(std::string_view role, const MetaFile& announced,
                                            std::uint64_t max_bytes) {
  const bool versioned = trusted_.root().has_consistent_snapshots();
  const std::string name =
      metadata_file_name(role, versioned ? std::optional(announced.version) : std::nullopt);
  if (announced.length && *announced.length > max_bytes)
    return fail(ErrorCode::tuf_metadata_too_large, name + " is announced with " +
                                                       format_bytes(*announced.length) + "; allowed are " +
                                                       format_bytes(max_bytes));
  CURUPIRA_TRY(auto file, fetcher_.fetch(name, announced.length.value_or(max_bytes)));
  if (!file) return not_there(name);
  return *std::move(file);
}

std::optional<std::string> Client::kept(std::string_view role, std::uint64_t max_bytes) const {
  auto file = store_.read(role, max_bytes);
  return file ? *std::move(file) : std::nullopt;
}

Error Client::explained(Error error) const {
  const bool about_time = error.code() == ErrorCode::tuf_expired || error.code() == ErrorCode::tuf_freeze;
  return about_time && !clock_note_.empty() ? std::move(error).with_help(clock_note_) : error;
}

}  // namespace curupira::tuf
