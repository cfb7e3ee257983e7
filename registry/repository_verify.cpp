#include "registry/repository_verify.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/artifact_check.h"
#include "registry/copied_packages.h"
#include "registry/folder_carrier.h"
#include "registry/mirror_role.h"
#include "registry/repository_roles.h"
#include "registry/target_files.h"
#include "tuf/delegation_match.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

class Verification {
 public:
  explicit Verification(Repository& repository) : repository_(repository) {}

  RepositoryReport run() {
    FolderCarrier carrier(repository_.folder().files(), repository_.folder().path());
    if (auto copied = need(std::string(copied_packages_file), read_copied_packages(carrier)))
      copied_ = *std::move(copied);
    check_time(tuf::root_role, repository_.root().common);
    check_time(tuf::timestamp_role, repository_.timestamp().common);
    check_time(tuf::snapshot_role, repository_.snapshot().common);
    report_.roles += 3;
    const auto top = read(repository_.top_role());
    if (!top) return std::move(report_);
    for (const std::string_view name : {bins_role, search_role}) {
      if (const auto role = need(std::string(name), repository_.delegated_role(name)))
        if (const auto content = read(*role); content && name == search_role) check_search(*content);
    }
    check_mirror();
    if (const auto publishers = need("targets", repository_.publishers()))
      for (const tuf::DelegatedRole& each : *publishers)
        if (const auto role = need(each.name, repository_.delegated_role(each.name)))
          check_packages(*role, each.paths ? &*each.paths : nullptr);
    if (const auto bins = need(std::string(bins_role), repository_.bin_roles()))
      for (const TargetsRole& bin : *bins)
        check_packages(bin, nullptr);
    return std::move(report_);
  }

 private:
  void problem(std::string where, Error error) {
    report_.problems.push_back({.where = std::move(where), .error = std::move(error)});
  }

  template <class Value>
  std::optional<Value> need(std::string where, Result<Value> value) {
    if (value) return *std::move(value);
    problem(std::move(where), std::move(value).error());
    return std::nullopt;
  }

  bool hold(std::string where, Result<> result) {
    if (!result) problem(std::move(where), std::move(result).error());
    return result.has_value();
  }

  void check_time(std::string_view role, const tuf::Common& common) {
    hold(std::string(role), tuf::check_expiry(common, repository_.now(), std::string(role)));
  }

  /// The role's metadata as clients get it; nothing when there is none.
  std::optional<tuf::Targets> read(const TargetsRole& role) {
    auto content = need(role.name, repository_.read_published(role));
    if (!content) return std::nullopt;
    if (!*content) {
      // A publisher who has published nothing yet is no fault.
      if (!is_publisher_name(role.name))
        problem(role.name, Error(ErrorCode::tuf_metadata_missing, "the snapshot does not list it"));
      return std::nullopt;
    }
    ++report_.roles;
    check_time(role.name, (*content)->common);
    return *std::move(content);
  }

  void check_search(const tuf::Targets& content) {
    const std::string target(search_target);
    const auto file = content.targets.find(target);
    if (file == content.targets.end()) {
      problem(target, Error(ErrorCode::tuf_target_unknown, target));
      return;
    }
    if (const auto bytes = need(
            target, read_vouched_target(repository_.folder(), target, file->second, max_search_index_bytes)))
      need(target, parse_search_index(*bytes));
  }

  void check_mirror() {
    const auto role = repository_.delegated_role(mirror_role);
    if (!role || !read(*role)) return;  // most registries are no mirrors
    const auto index = need(std::string(mirror_target), read_mirror(repository_));
    if (!index) return;
    for (const auto& [path, file] : index->files) {
      if (!hold(path, check_mirror_file(repository_.folder(), file))) continue;
      ++report_.mirrored;
      report_.bytes += file.size;
    }
    if (const auto pages = need("npm", unsigned_pages(repository_.folder(), *index)))
      for (const std::string& page : *pages)
        problem(printable(page),
                Error(ErrorCode::registry_damaged,
                      "nobody signed this page, and clients of npm and Python would believe it"));
  }

  /// `patterns`: of a publisher. What they published under names that were taken back from them stays in
  /// their metadata, which only they can sign, and clients do not look for it there.
  void check_packages(const TargetsRole& role, const std::vector<std::string>* patterns) {
    const auto content = read(role);
    if (!content) return;
    for (const auto& [target, file] : content->targets) {
      const auto matches = [&](const std::string& pattern) { return tuf::path_matches(pattern, target); };
      if (patterns == nullptr || std::ranges::any_of(*patterns, matches)) check_package(role, target, file);
    }
  }

  void check_package(const TargetsRole& role, const std::string& target, const tuf::TargetFile& file) {
    const auto name = need(printable(target), PackageName::of_target(target));
    if (!name) return;
    if (const auto owner = need(target, repository_.role_name_for(*name)); owner && *owner != role.name)
      problem(target, Error(ErrorCode::registry_damaged,
                            "it stands in " + role.name + ", clients look in " + *owner + " only"));
    if (copied_ && !copied_->contains(name->text())) {
      ++report_.left_out;
      return;
    }
    const auto index = need(target, read_package_index(repository_.folder(), *name, file));
    if (!index) return;
    ++report_.packages;
    if (const auto brief = need(target, read_custom(file.custom, target));
        brief && *brief != brief_of(*index, brief->summary))
      problem(target, Error(ErrorCode::registry_damaged, "its line in the metadata is not of its index"));
    for (const auto& [version, release] : index->versions) {
      ++report_.versions;
      for (const IndexArtifact& artifact : release.artifacts) {
        if (!hold(name->text() + " " + version, check_artifact(repository_.folder(), artifact))) continue;
        ++report_.artifacts;
        report_.bytes += artifact.size;
      }
    }
  }

  Repository& repository_;
  std::optional<std::set<std::string>> copied_ = {};  // packages of a copy that has some only
  RepositoryReport report_;
};

}  // namespace

Result<RepositoryReport> verify_repository(const RepositoryTools& tools, const RepositoryPlace& place) {
  auto repository = Repository::open_to_read(tools, place);
  if (repository) {
    repository->pass_over_pending();
    return Verification(*repository).run();
  }
  if (repository.error().code() == ErrorCode::registry_missing) return fail(std::move(repository).error());
  // Without its top-level metadata there is no way to the rest.
  RepositoryReport report;
  report.problems.push_back({.where = "metadata", .error = std::move(repository).error()});
  return report;
}

}  // namespace curupira::registry
