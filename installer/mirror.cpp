#include "installer/mirror.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/printable.h"
#include "installer/fetch.h"
#include "installer/home_session.h"
#include "installer/mirror_pages.h"
#include "installer/mirror_wheel.h"
#include "installer/policy.h"
#include "installer/store.h"
#include "installer/verified_artifact.h"
#include "registry/mirror_role.h"

namespace curupira::installer {
namespace {

using registry::MirrorFile;
using VerificationLevel = manifest::VerificationLevel;

/// So many are lost at most when the program is killed.
constexpr std::size_t fetched_at_once = 8;

/// Somebody is in the way: not a question of trying again.
bool is_untrue(const Error& error) {
  switch (error.code()) {
    case ErrorCode::digest_mismatch:
    case ErrorCode::size_mismatch:
    case ErrorCode::signature_invalid:
    case ErrorCode::artifact_too_large:
    case ErrorCode::integrity_missing:
    case ErrorCode::integrity_weak:
    case ErrorCode::level_lowered:
    case ErrorCode::policy_size:
      return true;
    default:
      return false;
  }
}

class Delivery {
 public:
  Delivery(const InstallerTools& tools, const InstallOptions& options, registry::RepositoryFolder& folder,
           MirrorPlan& plan, Diagnostics& diagnostics, InstallObserver& observer)
      : tools_(tools),
        options_(options),
        folder_(folder),
        plan_(plan),
        diagnostics_(diagnostics),
        observer_(observer),
        store_(tools.home, tools.files) {}

  /// Everything is in its place, and in the plan's index. `pages` learns what wheels say of themselves.
  Result<> run(MirrorPages& pages) {
    if (plan_.additions.empty()) return {};
    CURUPIRA_TRY(const HomeSession home, HomeSession::open(tools_.home, tools_.files, observer_));
    staging_ = home.staging();
    for (std::size_t at = 0; at < plan_.additions.size(); at += fetched_at_once) {
      const auto some =
          std::span(plan_.additions).subspan(at, std::min(fetched_at_once, plan_.additions.size() - at));
      const auto together = bring(some, pages);
      if (together) continue;
      if (is_untrue(together.error())) return fail(together.error());
      // One that cannot be had keeps none of the others away.
      for (MirrorAddition& each : some)
        if (auto alone = bring(std::span(&each, 1), pages); !alone)
          CURUPIRA_CHECK(note_missing(each, std::move(alone).error()));
    }
    if (missing_ == 0) return {};
    return fail(ErrorCode::mirror_incomplete,
                std::to_string(missing_) + " of " + std::to_string(plan_.additions.size()) + " files");
  }

 private:
  Result<> note_missing(const MirrorAddition& addition, Error error) {
    if (is_untrue(error)) return fail(std::move(error));
    diagnostics_.warn(printable(addition.file.path) + " is missing: " + error.summary());
    ++missing_;
    return {};
  }

  Result<> bring(std::span<MirrorAddition> additions, MirrorPages& pages) {
    std::vector<MirrorAddition*> open;
    std::vector<registry::Artifact> artifacts;
    for (MirrorAddition& each : additions) {
      if (delivered_.contains(each.file.path)) continue;
      open.push_back(&each);
      artifacts.push_back(each.artifact);
    }
    FetchLimits limits;
    if (options_.policy != nullptr) limits = limits_under(*options_.policy, limits);
    CURUPIRA_TRY(auto staging, tools_.files.create_temporary_folder(staging_, "mirror-"));
    auto fetched = fetch({.http = tools_.http,
                          .files = tools_.files,
                          .store = store_,
                          .staging = staging,
                          .observer = observer_,
                          .limits = limits},
                         artifacts);
    if (!fetched) {
      Error error = std::move(fetched).error();
      return fail(options_.policy == nullptr ? std::move(error)
                                             : explain_limit(*options_.policy, limits, std::move(error)));
    }
    for (std::size_t i = 0; i < open.size(); ++i)
      CURUPIRA_CHECK(place(*open[i], std::move((*fetched)[i]), pages));
    return tools_.files.remove_tree(staging);
  }

  Result<> place(MirrorAddition& addition, FetchedArtifact fetched, MirrorPages& pages) {
    MirrorFile& file = addition.file;
    const auto sha256 = std::ranges::find(fetched.digests, DigestAlgorithm::sha256, &Digest::algorithm);
    if (sha256 == fetched.digests.end())
      return fail(ErrorCode::internal, "no sha256 of " + printable(file.path));
    file.sha256 = *sha256;
    CURUPIRA_TRY(const VerifiedArtifact verified, verify(std::move(fetched), addition.artifact.proof));
    if (verified.level() < addition.least)
      return fail(ErrorCode::level_lowered,
                  printable(file.package) + "@" + printable(file.version) + ": the lock file says " +
                      std::string(manifest::name_of(addition.least)) + ", now it is " +
                      std::string(manifest::name_of(verified.level())));
    file.size = verified.size();
    file.integrity = verified.digest().sri();
    file.registry_signed = verified.level() != VerificationLevel::digest;
    if (file.kind == MirrorFile::Kind::wheel)
      CURUPIRA_CHECK(pages.add_wheel(folder_, plan_.index, file, verified.file()));
    CURUPIRA_CHECK(folder_.put_beside({.path = file.path, .sha256 = file.sha256, .source = verified.file()}));
    plan_.index.files.insert_or_assign(file.path, file);
    delivered_.insert(file.path);
    return {};
  }

  const InstallerTools& tools_;
  const InstallOptions& options_;
  registry::RepositoryFolder& folder_;
  MirrorPlan& plan_;
  Diagnostics& diagnostics_;
  InstallObserver& observer_;
  Store store_;
  std::filesystem::path staging_;
  std::set<std::string> delivered_;
  std::size_t missing_ = 0;
};

}  // namespace

Result<registry::RevisionOutcome> carry_out_mirror(const InstallerTools& tools, const InstallOptions& options,
                                                   registry::Repository& repository, MirrorPlan plan,
                                                   Diagnostics& diagnostics, InstallObserver& observer) {
  CURUPIRA_CHECK(registry::check_mirror_keys(repository));
  CURUPIRA_TRY(const registry::MirrorIndex now, registry::read_mirror(repository));
  if (now != plan.before)
    return fail(ErrorCode::registry_busy, "the mirror was changed since the plan was made");
  MirrorPages pages;
  CURUPIRA_CHECK(Delivery(tools, options, repository.folder(), plan, diagnostics, observer).run(pages));
  CURUPIRA_TRY(const auto written, pages.write(repository.folder(), plan));
  return registry::publish_mirror(repository, std::move(plan.index), written);
}

}  // namespace curupira::installer
