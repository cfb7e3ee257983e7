#include "registry/repository.h"

#include <algorithm>
#include <charconv>

#include "base/printable.h"
#include "base/url.h"
#include "registry/repository_roles.h"
#include "tuf/delegation_match.h"
#include "tuf/metadata_parser.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

/// Own metadata is renewed when it has expired: at this time nothing has.
constexpr std::chrono::sys_seconds before_all_expiry{};
constexpr tuf::Limits limits{};

const std::string& first_root() {
  static const std::string name = tuf::metadata_file_name(tuf::root_role, 1);
  return name;
}

Result<std::string> need_metadata(const RepositoryFolder& folder, const std::string& name,
                                  std::uint64_t max_bytes) {
  CURUPIRA_TRY(auto file, folder.read_metadata(name, max_bytes));
  if (!file) return fail(ErrorCode::tuf_metadata_missing, "the registry has no " + printable(name));
  return *std::move(file);
}

Result<> follow_roots(const RepositoryFolder& folder, tuf::TrustedSet& trusted) {
  for (int updates = 0; updates < limits.max_root_updates; ++updates) {
    const auto name = tuf::metadata_file_name(tuf::root_role, trusted.root().common.version + 1);
    CURUPIRA_TRY(const auto next, folder.read_metadata(name, limits.max_root_bytes));
    if (!next) break;
    CURUPIRA_CHECK(trusted.update_root(*next));
  }
  return {};
}

/// Reads the top-level metadata as a client does (TUF 1.0.34 §5.3–5.5), which kept `store`.
Result<tuf::TrustedSet> read_trusted(const RepositoryFolder& folder, const tuf::TrustStore* store) {
  std::optional<std::string> root;
  if (store != nullptr) {
    CURUPIRA_TRY(root, store->read(tuf::root_role, limits.max_root_bytes));
  }
  if (!root) {
    CURUPIRA_TRY(root, need_metadata(folder, first_root(), limits.max_root_bytes));
  }
  CURUPIRA_TRY(auto trusted, tuf::TrustedSet::begin(*root, before_all_expiry, limits));
  CURUPIRA_CHECK(follow_roots(folder, trusted));
  const auto recall = [&](std::string_view role, std::uint64_t max_bytes, auto take) {
    if (store == nullptr) return;
    // What does not hold any more was signed with keys that have been replaced.
    if (auto kept = store->read(role, max_bytes); kept && *kept) static_cast<void>((trusted.*take)(**kept));
  };
  recall(tuf::timestamp_role, limits.max_timestamp_bytes, &tuf::TrustedSet::recall_timestamp);
  CURUPIRA_TRY(
      const std::string timestamp,
      need_metadata(folder, tuf::metadata_file_name(tuf::timestamp_role), limits.max_timestamp_bytes));
  CURUPIRA_CHECK(trusted.update_timestamp(timestamp));
  recall(tuf::snapshot_role, limits.max_snapshot_bytes, &tuf::TrustedSet::recall_snapshot);
  const auto name = tuf::metadata_file_name(tuf::snapshot_role, trusted.timestamp()->snapshot.version);
  CURUPIRA_TRY(const std::string snapshot, need_metadata(folder, name, limits.max_snapshot_bytes));
  CURUPIRA_CHECK(trusted.update_snapshot(snapshot));
  return trusted;
}

/// A root that makes lost keys superfluous was written, and the timestamp of the new keys was not: then the
/// latter is finished. Without the root, nothing had happened.
Result<> finish_killed(RepositoryFolder& folder) {
  const std::string name = tuf::metadata_file_name(tuf::timestamp_role);
  CURUPIRA_TRY(const auto waiting, folder.read_pending(name, limits.max_timestamp_bytes));
  if (!waiting) return {};
  CURUPIRA_TRY(const std::string root, need_metadata(folder, first_root(), limits.max_root_bytes));
  CURUPIRA_TRY(auto trusted, tuf::TrustedSet::begin(root, before_all_expiry, limits));
  CURUPIRA_CHECK(follow_roots(folder, trusted));
  return trusted.update_timestamp(*waiting) ? folder.release_timestamp() : folder.remove_pending(name);
}

}  // namespace

Result<Repository> Repository::open_for_change(const RepositoryTools& tools, const RepositoryPlace& place,
                                               const LockRequest& request) {
  RepositoryFolder folder(tools.files, place.folder);
  CURUPIRA_TRY(const bool there, folder.has_metadata(tuf::metadata_file_name(tuf::timestamp_role)));
  if (!there) return fail(ErrorCode::registry_missing, printable(place.folder.string()));
  CURUPIRA_TRY(auto lock, RepositoryLock::take(folder, request));
  CURUPIRA_CHECK(folder.tidy());
  CURUPIRA_CHECK(finish_killed(folder));
  return open(tools, place, std::move(folder), std::move(lock));
}

Result<Repository> Repository::open_to_read(const RepositoryTools& tools, const RepositoryPlace& place) {
  RepositoryFolder folder(tools.files, place.folder);
  CURUPIRA_TRY(const bool there, folder.has_metadata(tuf::metadata_file_name(tuf::timestamp_role)));
  if (!there) return fail(ErrorCode::registry_missing, printable(place.folder.string()));
  return open(tools, place, std::move(folder), std::nullopt);
}

Result<Repository> Repository::open(const RepositoryTools& tools, const RepositoryPlace& place,
                                    RepositoryFolder folder, std::optional<RepositoryLock> lock) {
  std::optional<tuf::TrustStore> trust;
  CURUPIRA_TRY(const auto status, tools.files.status(place.keys / "trust"));
  if (status) trust.emplace(tools.files, place.keys / "trust");
  CURUPIRA_TRY(auto trusted, read_trusted(folder, trust ? &*trust : nullptr));
  Repository repository(tools, std::move(folder), std::move(lock), std::move(trust), std::move(trusted));
  CURUPIRA_CHECK(repository.find_pending_root());
  return repository;
}

Result<> Repository::reload() {
  CURUPIRA_TRY(trusted_, read_trusted(folder_, trust_ ? &*trust_ : nullptr));
  CURUPIRA_CHECK(find_pending_root());
  top_.reset();
  bins_.reset();
  if (!trust_) return {};
  const auto keep = [&](std::string_view role, std::optional<std::int64_t> version) -> Result<> {
    CURUPIRA_TRY(const std::string file,
                 need_metadata(folder_, tuf::metadata_file_name(role, version), limits.max_snapshot_bytes));
    return trust_->write(role, file);
  };
  CURUPIRA_CHECK(keep(tuf::root_role, root().common.version));
  CURUPIRA_CHECK(keep(tuf::snapshot_role, snapshot().common.version));
  return keep(tuf::timestamp_role, std::nullopt);
}

Result<> Repository::find_pending_root() {
  pending_root_.reset();
  const auto name = tuf::metadata_file_name(tuf::root_role, root().common.version + 1);
  CURUPIRA_TRY(const auto file, folder_.read_pending(name, limits.max_root_bytes));
  if (!file) return {};
  auto document = tuf::parse_document(*file, limits);
  const auto content =
      document ? tuf::read_root(document->content) : Result<tuf::Root>(fail(document.error()));
  if (!content || content->common.version != root().common.version + 1) {
    tools_.diagnostics.warn("the root that waits in " + printable((folder_.pending() / name).string()) +
                            " cannot be read and is passed over");
    return {};
  }
  pending_root_ = *std::move(document);
  return {};
}

Result<std::optional<tuf::Root>> Repository::next_root() const {
  if (!pending_root_) return std::nullopt;
  CURUPIRA_TRY(auto next, tuf::read_root(pending_root_->content));
  return std::optional(std::move(next));
}

std::chrono::sys_seconds Repository::now() const {
  return std::chrono::floor<std::chrono::seconds>(tools_.clock.now());
}

TargetsRole Repository::top_role() const {
  return {
      .name = std::string(tuf::targets_role), .keys = root().role(tuf::targets_role), .table = root().keys};
}

Result<const tuf::Targets*> Repository::targets() {
  if (top_) return &*top_;
  CURUPIRA_TRY(top_, read(top_role()));
  if (!top_) return fail(ErrorCode::tuf_metadata_missing, "the registry has no targets metadata");
  return &*top_;
}

Result<const tuf::Delegations*> Repository::top_delegations() {
  CURUPIRA_TRY(const tuf::Targets* const top, targets());
  if (top->delegations && top->delegations->roles) return &*top->delegations;
  return fail(ErrorCode::registry_missing, "its metadata delegates to no role");
}

Result<const tuf::Delegations*> Repository::bin_delegations() {
  if (!bins_) {
    CURUPIRA_TRY(const TargetsRole role, delegated_role(bins_role));
    CURUPIRA_TRY(bins_, read(role));
  }
  if (!bins_ || !bins_->delegations || !bins_->delegations->succinct_roles)
    return fail(ErrorCode::registry_missing, "its metadata has no bins");
  if (bins_->delegations->succinct_roles->bit_length > max_bin_bits)
    return fail(ErrorCode::registry_missing,
                "its metadata has more than 2^" + std::to_string(max_bin_bits) + " bins");
  return &*bins_->delegations;
}

Result<TargetsRole> Repository::delegated_role(std::string_view name) {
  CURUPIRA_TRY(const tuf::Delegations* const delegations, top_delegations());
  for (const tuf::DelegatedRole& role : *delegations->roles)
    if (role.name == name)
      return TargetsRole{.name = role.name, .keys = role.keys, .table = delegations->keys};
  return fail(ErrorCode::registry_role, "\"" + excerpt(name, 80) + "\"");
}

Result<std::vector<tuf::DelegatedRole>> Repository::publishers() {
  CURUPIRA_TRY(const tuf::Delegations* const delegations, top_delegations());
  std::vector<tuf::DelegatedRole> found;
  for (const tuf::DelegatedRole& role : *delegations->roles)
    if (is_publisher_name(role.name)) found.push_back(role);
  return found;
}

Result<std::string> Repository::role_name_for(const PackageName& name) {
  CURUPIRA_TRY(const auto target, tuf::TargetName::parse(name.target()));
  CURUPIRA_TRY(const tuf::Delegations* const top, top_delegations());
  auto matching = tuf::matching_delegations(*top, target);
  if (!matching.empty() && matching.front().role != bins_role) return std::move(matching.front().role);
  CURUPIRA_TRY(const tuf::Delegations* const bins, bin_delegations());
  return tuf::bin_name(*bins->succinct_roles, tuf::bin_of(*bins->succinct_roles, target));
}

Result<TargetsRole> Repository::role_for(const PackageName& name) {
  CURUPIRA_TRY(std::string role, role_name_for(name));
  if (is_publisher_name(role)) return delegated_role(role);
  CURUPIRA_TRY(const tuf::Delegations* const bins, bin_delegations());
  return TargetsRole{.name = std::move(role), .keys = bins->succinct_roles->keys, .table = bins->keys};
}

Result<std::vector<TargetsRole>> Repository::bin_roles() {
  CURUPIRA_TRY(const tuf::Delegations* const bins, bin_delegations());
  const tuf::SuccinctRoles& roles = *bins->succinct_roles;
  std::vector<TargetsRole> found;
  for (std::uint32_t bin = 0; bin < 1u << roles.bit_length; ++bin)
    found.push_back({.name = tuf::bin_name(roles, bin), .keys = roles.keys, .table = bins->keys});
  return found;
}

Result<std::optional<tuf::Targets>> Repository::read_published(const TargetsRole& role) const {
  const tuf::MetaFile* const announced = snapshot().find(role.name);
  if (announced == nullptr) return std::nullopt;
  const auto name = tuf::metadata_file_name(role.name, announced->version);
  CURUPIRA_TRY(const std::string file, need_metadata(folder_, name, limits.max_targets_bytes));
  CURUPIRA_TRY(auto content, trusted_.verify_targets(file, role.name, role.keys, role.table));
  return std::optional(std::move(content));
}

Result<std::optional<tuf::Targets>> Repository::read(const TargetsRole& role) {
  if (pass_over_pending_) return read_published(role);
  const tuf::MetaFile* const announced = snapshot().find(role.name);
  CURUPIRA_TRY(const auto waiting, pending_files(folder_));
  for (auto each = waiting.rbegin(); each != waiting.rend(); ++each) {
    if (each->role != role.name || (announced != nullptr && each->version <= announced->version)) continue;
    CURUPIRA_TRY(const auto file, folder_.read_pending(each->name, limits.max_targets_bytes));
    const auto document = file ? tuf::parse_document(*file, limits) : Result<tuf::Document>(tuf::Document{});
    if (!document || !tuf::check_signatures(*document, role.keys, role.table, each->name)) continue;
    CURUPIRA_TRY(auto content, tuf::read_targets(document->content));
    if (content.common.version == each->version) return std::optional(std::move(content));
  }
  return read_published(role);
}

Result<std::vector<PendingFile>> pending_files(const RepositoryFolder& folder) {
  CURUPIRA_TRY(const auto names, folder.list_pending());
  std::vector<PendingFile> found;
  for (const std::string& name : names) {
    const std::size_t dot = name.find('.');
    PendingFile file{.name = name};
    if (dot == std::string::npos || !name.ends_with(".json") || name.size() < dot + 6) continue;
    const char* const end = name.data() + dot;
    const auto parsed = std::from_chars(name.data(), end, file.version);
    if (parsed.ec != std::errc{} || parsed.ptr != end || file.version < 1) continue;
    file.role = name.substr(dot + 1, name.size() - dot - 1 - 5);
    if (tuf::metadata_file_name(file.role, file.version) == name) found.push_back(std::move(file));
  }
  std::ranges::sort(found, {}, [](const PendingFile& file) { return std::pair(file.role, file.version); });
  return found;
}

Result<std::string> root_fingerprint(const RepositoryFolder& folder) {
  CURUPIRA_TRY(const std::string root, need_metadata(folder, first_root(), limits.max_root_bytes));
  return "sha256:" + digest_of(DigestAlgorithm::sha256, root).hex();
}

}  // namespace curupira::registry
