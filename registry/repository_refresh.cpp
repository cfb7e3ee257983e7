#include "registry/repository_refresh.h"

#include <algorithm>

#include "base/printable.h"
#include "base/timestamp.h"
#include "registry/artifact_check.h"
#include "registry/repository_roles.h"
#include "registry/target_files.h"
#include "tuf/metadata_parser.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

std::string in_days(const Repository& repository, const tuf::Common& common) {
  const auto left = std::chrono::floor<std::chrono::days>(common.expires - repository.now()).count();
  return left < 0 ? "has expired" : "expires on " + format_timestamp(common.expires).substr(0, 10);
}

class Refresh {
 public:
  explicit Refresh(Repository& repository) : repository_(repository), revision_(repository) {}

  Result<RefreshOutcome> run() {
    CURUPIRA_TRY(const bool visible, revision_.can_publish());
    if (!visible)
      return fail(
          ErrorCode::registry_key_missing,
          describe_keys(std::string(tuf::timestamp_role), repository_.root().role(tuf::timestamp_role)));
    CURUPIRA_CHECK(adopt_all());
    CURUPIRA_CHECK(renew_all());
    if (is_near_expiry(tuf::snapshot_role, repository_.snapshot().common, repository_.now())) {
      revision_.renew_snapshot();
      outcome_.renewed.emplace_back(tuf::snapshot_role);
    }
    CURUPIRA_TRY(outcome_.revision, revision_.commit());
    CURUPIRA_CHECK(rebuild_search());
    return std::move(outcome_);
  }

 private:
  void warn(std::string text) { repository_.tools().diagnostics.warn(std::move(text)); }

  Result<TargetsRole> role_named(const std::string& name) {
    if (name == tuf::targets_role) return repository_.top_role();
    if (name != bins_role && name.starts_with(bins_role)) {
      CURUPIRA_TRY(const auto bins, repository_.bin_roles());
      const auto bin = std::ranges::find(bins, name, &TargetsRole::name);
      if (bin != bins.end()) return *bin;
    }
    return repository_.delegated_role(name);
  }

  /// What publishers left in metadata-pending/, the newest of each.
  Result<> adopt_all() {
    CURUPIRA_TRY(const auto waiting, pending_files(repository_.folder()));
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const PendingFile& file = waiting[i];
      if (file.role == tuf::root_role) continue;
      const tuf::MetaFile* const announced = repository_.snapshot().find(file.role);
      const bool newest = i + 1 == waiting.size() || waiting[i + 1].role != file.role;
      if (!newest || (announced != nullptr && announced->version >= file.version)) {
        CURUPIRA_CHECK(repository_.folder().remove_pending(file.name));
        continue;
      }
      if (const auto adopted = adopt(file); !adopted)
        warn(printable(file.name) + " is passed over: " + adopted.error().summary());
      else
        outcome_.adopted.push_back(file.name);
    }
    return {};
  }

  Result<> adopt(const PendingFile& file) {
    CURUPIRA_TRY(const TargetsRole role, role_named(file.role));
    const auto limit = tuf::Limits().max_targets_bytes;
    CURUPIRA_TRY(const auto bytes, repository_.folder().read_pending(file.name, limit));
    if (!bytes) return fail(ErrorCode::file_not_found, printable(file.name));
    CURUPIRA_TRY(const auto document, tuf::parse_document(*bytes));
    CURUPIRA_CHECK(tuf::check_signatures(document, role.keys, role.table, role.name));
    CURUPIRA_TRY(const auto content, tuf::read_targets(document.content));
    if (content.common.version != file.version)
      return fail(ErrorCode::tuf_mix_and_match, "its version is " + std::to_string(content.common.version));
    CURUPIRA_CHECK(tuf::check_expiry(content.common, repository_.now(), role.name));
    // Signed with keys that do not count any more, it vouches for nothing.
    const auto published = repository_.read_published(role);
    const auto before = published ? *published : std::nullopt;
    for (const auto& [target, said] : content.targets) {
      if (file.role == search_role) break;  // no package is there
      const auto known = before ? before->targets.find(target) : content.targets.end();
      if (before && known != before->targets.end() && known->second == said) continue;
      CURUPIRA_TRY(const auto name, PackageName::of_target(target));
      CURUPIRA_TRY(const auto index, read_package_index(repository_.folder(), name, said));
      CURUPIRA_CHECK(check_artifacts_there(repository_.folder(), index));
    }
    revision_.adopt(file, *bytes);
    adopted_roles_.push_back(file.role);
    return {};
  }

  /// Signs the role anew when it is time. False: it is time, and its key is not here.
  Result<bool> renew(const TargetsRole& role) {
    if (std::ranges::find(adopted_roles_, role.name) != adopted_roles_.end()) return true;
    CURUPIRA_TRY(auto content, repository_.read_published(role));
    if (!content || !is_near_expiry(role.name, content->common, repository_.now())) return true;
    if (!repository_.tools().keys.can_sign(role.keys)) {
      warn(role.name + " " + in_days(repository_, content->common) +
           ", and its key is not here: " + describe_keys(role.name, role.keys));
      return false;
    }
    outcome_.renewed.push_back(role.name);
    revision_.put(role, *std::move(content));
    return true;
  }

  Result<> renew_all() {
    CURUPIRA_TRY(const auto bins, repository_.bin_roles());
    for (const TargetsRole& bin : bins) {
      CURUPIRA_TRY(const bool renewed, renew(bin));
      if (!renewed) break;  // they all have the same keys
    }
    for (const std::string_view name : {bins_role, search_role}) {
      CURUPIRA_TRY(const TargetsRole role, repository_.delegated_role(name));
      CURUPIRA_CHECK(renew(role));
    }
    if (const auto mirror = repository_.delegated_role(mirror_role)) CURUPIRA_CHECK(renew(*mirror));
    CURUPIRA_TRY(const auto publishers, repository_.publishers());
    for (const tuf::DelegatedRole& each : publishers) {
      CURUPIRA_TRY(const TargetsRole role, repository_.delegated_role(each.name));
      if (auto renewed = renew(role); !renewed)
        warn(each.name + " cannot be read: " + renewed.error().summary());
    }
    CURUPIRA_CHECK(renew(repository_.top_role()));
    return renew_root();
  }

  Result<> renew_root() {
    const tuf::Root& root = repository_.root();
    if (repository_.pending_root() || !is_near_expiry(tuf::root_role, root.common, repository_.now()))
      return {};
    const auto& keys = root.role(tuf::root_role);
    const bool some = std::ranges::any_of(
        keys.key_ids, [&](const std::string& id) { return repository_.tools().keys.has(id); });
    // Their holders get the next one to sign.
    if (!some)
      warn("root " + in_days(repository_, root.common) +
           ", and none of its keys is here: " + describe_keys("root", keys));
    else
      outcome_.renewed.emplace_back(tuf::root_role);
    revision_.set_root(root);
    return {};
  }

  Result<> add_packages(const TargetsRole& role, SearchIndex& index) {
    CURUPIRA_TRY(const auto content, repository_.read_published(role));
    const tuf::MetaFile* const announced = repository_.snapshot().find(role.name);
    if (!content || announced == nullptr) return {};
    index.roles.emplace(role.name, announced->version);
    for (const auto& [target, file] : content->targets) {
      CURUPIRA_TRY(auto name, PackageName::of_target(target));
      CURUPIRA_TRY(const std::string owner, repository_.role_name_for(name));
      if (owner != role.name) continue;  // no client finds it there
      CURUPIRA_TRY(auto brief, read_custom(file.custom, target));
      index.packages.push_back({.name = std::move(name), .brief = std::move(brief), .role = role.name});
    }
    return {};
  }

  Result<> rebuild_search() {
    CURUPIRA_TRY(const TargetsRole role, repository_.delegated_role(search_role));
    CURUPIRA_TRY(const auto before, repository_.read_published(role));
    SearchIndex index;
    CURUPIRA_TRY(const auto bins, repository_.bin_roles());
    for (const TargetsRole& bin : bins)
      CURUPIRA_CHECK(add_packages(bin, index));
    CURUPIRA_TRY(const auto publishers, repository_.publishers());
    for (const tuf::DelegatedRole& each : publishers) {
      CURUPIRA_TRY(const TargetsRole publisher, repository_.delegated_role(each.name));
      if (auto added = add_packages(publisher, index); !added)
        warn("the search index lacks " + each.name + ": " + added.error().summary());
    }
    // A publisher whose names were taken back is listed for ever (TUF 1.0.34 §5.5.5), and has no packages.
    for (const auto& [file, listed] : repository_.snapshot().meta) {
      const std::string name = file.substr(0, file.size() - std::string_view(".json").size());
      if (is_publisher_name(name)) index.roles.try_emplace(name, listed.version);
    }
    std::ranges::sort(index.packages, {}, &FoundPackage::name);
    if (!repository_.tools().keys.can_sign(role.keys)) {
      warn("the search index stays as it is: " + describe_keys(role.name, role.keys));
      return {};
    }
    CURUPIRA_TRY(const NewTarget target, new_search_index(index));
    const auto known = before ? before->targets.find(target.target) : decltype(before->targets.end()){};
    if (before && known != before->targets.end() && known->second == target.file) return {};
    tuf::Targets content = before ? *before : tuf::Targets{};
    content.targets = {{target.target, target.file}};
    Revision revision(repository_);
    revision.upload(target.upload);
    revision.put(role, std::move(content));
    CURUPIRA_TRY(const RevisionOutcome last, revision.commit());
    outcome_.search_rebuilt = true;
    outcome_.revision.snapshot = last.snapshot;
    outcome_.revision.written.insert(outcome_.revision.written.end(), last.written.begin(),
                                     last.written.end());
    if (last.root != RevisionOutcome::RootState::none) outcome_.revision.root = last.root;
    return {};
  }

  Repository& repository_;
  Revision revision_;
  RefreshOutcome outcome_;
  std::vector<std::string> adopted_roles_;
};

}  // namespace

Result<RefreshOutcome> refresh(Repository& repository) {
  return Refresh(repository).run();
}

}  // namespace curupira::registry
