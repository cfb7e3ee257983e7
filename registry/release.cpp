#include "registry/release.h"

#include <map>

#include "base/printable.h"
#include "base/semver.h"
#include "registry/repository_roles.h"
#include "registry/target_files.h"

namespace curupira::registry {
namespace {

/// The roles that a change of packages touches, each read once and put once.
class PackageChange {
 public:
  explicit PackageChange(Repository& repository) : repository_(repository), revision_(repository) {}

  struct Package {
    std::string role;
    PackageIndex index;
    PackageBrief brief = {};
    bool is_new = false;
  };

  Result<Package> open(const PackageName& name) {
    CURUPIRA_TRY(TargetsRole role, repository_.role_for(name));
    CURUPIRA_CHECK(check_keys(role, name));
    Package package{.role = role.name, .index = {.name = name}};
    auto known = roles_.find(role.name);
    if (known == roles_.end()) {
      CURUPIRA_TRY(tuf::Targets content, read(role));
      known = roles_.emplace(role.name, Open{role, std::move(content)}).first;
    }
    // What an earlier one of the same change published is not on the disk yet.
    if (const auto changed = changed_.find(name); changed != changed_.end()) return changed->second;
    const auto& targets = known->second.content.targets;
    const auto file = targets.find(name.target());
    package.is_new = file == targets.end();
    if (package.is_new) return package;
    CURUPIRA_TRY(package.index, read_package_index(repository_.folder(), name, file->second));
    CURUPIRA_TRY(package.brief, read_custom(file->second.custom, name.target()));
    return package;
  }

  void put(const Package& package) { changed_.insert_or_assign(package.index.name, package); }
  void upload(TargetUpload upload) { revision_.upload(std::move(upload)); }

  Result<RevisionOutcome> commit() {
    if (changed_.empty()) return RevisionOutcome{.snapshot = repository_.snapshot().common.version};
    std::map<std::string, bool> touched;
    for (const auto& [name, package] : changed_) {
      CURUPIRA_TRY(const NewTarget target,
                   new_package_index(package.index, brief_of(package.index, package.brief.summary)));
      revision_.upload(target.upload);
      roles_.at(package.role).content.targets.insert_or_assign(target.target, target.file);
      touched[package.role] = true;
    }
    for (auto& [name, role] : roles_)
      if (touched.contains(name)) revision_.put(role.role, std::move(role.content));
    return revision_.commit();
  }

 private:
  struct Open {
    TargetsRole role;
    tuf::Targets content;
  };

  /// The role's packages; none when it has not published yet, or only with keys that do not count any more.
  Result<tuf::Targets> read(const TargetsRole& role) {
    auto content = repository_.read(role);
    if (content) return *content ? *std::move(*content) : tuf::Targets{};
    const ErrorCode code = content.error().code();
    if (!is_publisher_name(role.name) || code != ErrorCode::tuf_threshold) return fail(content.error());
    repository_.tools().diagnostics.warn("what " + role.name +
                                         " signed with earlier keys does not count: its packages begin anew");
    return tuf::Targets{};
  }

  Result<> check_keys(const TargetsRole& role, const PackageName& name) const {
    if (repository_.tools().keys.can_sign(role.keys)) return {};
    const bool of_publisher = is_publisher_name(role.name);
    return fail(
        of_publisher ? ErrorCode::namespace_of_another : ErrorCode::registry_key_missing,
        printable(name.text()) + " is signed by " + role.name + "; " + describe_keys(role.name, role.keys));
  }

  Repository& repository_;
  Revision revision_;
  std::map<std::string, Open> roles_;
  std::map<PackageName, Package> changed_;
};

std::vector<IndexArtifact> artifacts_of(const Release& release) {
  std::vector<IndexArtifact> artifacts;
  for (const ReleaseFile& file : release.files)
    artifacts.push_back(file.artifact);
  return artifacts;
}

/// True when exactly this is published already. Error: published_differs.
Result<bool> is_published(const PackageIndex& index, const Release& release) {
  const std::string shown = printable(release.name.text()) + " " + printable(release.version);
  if (const PackageVersion* const there = index.find(release.version)) {
    const auto artifacts = artifacts_of(release);
    if (there->manifest == release.manifest && there->artifacts == artifacts) return true;
    const auto list = [](const std::vector<IndexArtifact>& files) {
      std::string text;
      for (const IndexArtifact& each : files)
        text += "\n    " + each.sha256.hex() + "  " + printable(each.file);
      return text;
    };
    return fail(ErrorCode::published_differs,
                shown + "\n  published:" + list(there->artifacts) + "\n  now:" + list(artifacts));
  }
  CURUPIRA_TRY(const SemVer version, SemVer::parse(release.version));
  for (const auto& [text, other] : index.versions) {
    const auto parsed = SemVer::parse(text);
    if (parsed && *parsed == version)
      return fail(ErrorCode::published_differs,
                  shown + " and " + printable(text) + " differ only in what follows their '+'");
  }
  return false;
}

}  // namespace

Result<PublishOutcome> publish(Repository& repository, std::span<const Release> releases) {
  PackageChange change(repository);
  PublishOutcome outcome;
  for (const Release& release : releases) {
    CURUPIRA_TRY(auto package, change.open(release.name));
    CURUPIRA_TRY(const bool already, is_published(package.index, release));
    outcome.releases.push_back({.name = release.name,
                                .version = release.version,
                                .archive = release.files.front().artifact.sha256,
                                .role = package.role,
                                .already = already});
    if (already) continue;
    package.index.versions.emplace(release.version, PackageVersion{.manifest = release.manifest,
                                                                   .published = repository.now(),
                                                                   .artifacts = artifacts_of(release)});
    if (release.summary) package.brief.summary = *release.summary;
    for (const ReleaseFile& file : release.files)
      change.upload({.path = file.artifact.path(), .sha256 = file.artifact.sha256, .source = file.source});
    change.put(package);
  }
  CURUPIRA_TRY(outcome.revision, change.commit());
  return outcome;
}

Result<PublishOutcome> set_yanked(Repository& repository, const PackageName& name, const std::string& version,
                                  std::optional<std::string> reason) {
  if (reason && (reason->size() > max_yank_reason_bytes || !is_valid_utf8(*reason)))
    return fail(ErrorCode::usage,
                "the reason is text of at most " + std::to_string(max_yank_reason_bytes) + " bytes");
  PackageChange change(repository);
  CURUPIRA_TRY(auto package, change.open(name));
  if (package.is_new) return fail(ErrorCode::package_not_found, printable(name.text()));
  const auto found = package.index.versions.find(version);
  if (found == package.index.versions.end()) {
    std::string list;
    for (const auto& [text, unread] : package.index.versions)
      list += (list.empty() ? "" : ", ") + printable(text);
    return fail(ErrorCode::version_not_found,
                printable(name.text()) + " has no version " + excerpt(version, 60) + "; it has " + list);
  }
  const bool was_yanked = found->second.yanked.has_value();
  if (found->second.yanked == reason || (!reason && !was_yanked))
    return fail(ErrorCode::already_so,
                printable(name.text()) + " " + printable(version) +
                    (was_yanked ? " was taken back for this reason already" : " was not taken back"));
  found->second.yanked = std::move(reason);
  PublishOutcome outcome;
  outcome.releases.push_back(
      {.name = name, .version = version, .archive = found->second.archive().sha256, .role = package.role});
  change.put(package);
  CURUPIRA_TRY(outcome.revision, change.commit());
  return outcome;
}

}  // namespace curupira::registry
