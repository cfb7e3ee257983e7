#include "registry/registry_release.h"

#include <algorithm>
#include <vector>

#include "base/printable.h"
#include "base/semver.h"
#include "base/timestamp.h"
#include "registry/limits.h"
#include "registry/version_range.h"

namespace curupira::registry {
namespace {

struct Candidate {
  SemVer version;
  std::string text;
  const PackageVersion* release = nullptr;
};

std::string label_of(const std::string& registry, const PackageName& package, const std::string& version) {
  return registry + ":" + package.text() + "@" + version;
}

std::string taken_back(const std::string& label, const std::string& reason) {
  return label + " was taken back by its publisher: " + excerpt(reason, Limits::max_warning_bytes);
}

/// Those of the range, the best first: a release before every pre-release.
std::vector<Candidate> candidates_of(const PackageIndex& index, const std::string& range) {
  std::vector<Candidate> candidates;
  const auto parsed = VersionRange::parse(range);
  for (const auto& [text, release] : index.versions) {
    const auto version = SemVer::parse(text);
    if (version && (range.empty() || (parsed && parsed->contains(*version))))
      candidates.push_back({*version, text, &release});
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    const bool a_final = a.version.prerelease().empty(), b_final = b.version.prerelease().empty();
    return a_final != b_final ? a_final : b.version < a.version;
  });
  return candidates;
}

Error not_there(const PackageIndex& index, const RegistryReference& wanted) {
  std::string known;
  for (const Candidate& candidate : candidates_of(index, {})) {
    if (candidate.release->yanked) continue;
    known += (known.empty() ? "" : ", ") + candidate.text;
    if (std::ranges::count(known, ',') + 1 >= static_cast<std::ptrdiff_t>(Limits::shown_versions)) break;
  }
  return Error(ErrorCode::package_unlisted, to_string(wanted) + ": no version of it is " +
                                                (wanted.range.empty() ? "there" : "in this range") +
                                                (known.empty() ? "" : "; the newest are " + known));
}

}  // namespace

Result<std::string> choose_release(const PackageIndex& index, const RegistryReference& wanted,
                                   const SourceTools& tools, Diagnostics& diagnostics) {
  const auto candidates = candidates_of(index, wanted.range);
  if (candidates.empty()) return fail(not_there(index, wanted));
  const auto label = [&](const Candidate& candidate) {
    return label_of(wanted.registry, wanted.package, candidate.text);
  };
  if (tools.is_locked) {
    CURUPIRA_CHECK(check_locked_release(tools, wanted.registry, index, candidates.front().text, diagnostics));
    return candidates.front().text;
  }
  const auto published = [](const Candidate& candidate) {
    return std::optional(format_timestamp(candidate.release->published));
  };
  const Candidate* young = nullptr;
  const Candidate* chosen = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.release->yanked) continue;
    if (!tools.release_age || tools.release_age->admits(published(candidate))) {
      chosen = &candidate;
      break;
    }
    if (young == nullptr) young = &candidate;
  }
  if (chosen == nullptr && young != nullptr)
    return fail(too_young(label(*young), published(*young), *tools.release_age));
  const Candidate& best = candidates.front();
  if (chosen == nullptr)
    return fail(ErrorCode::release_yanked, taken_back(label(best), *best.release->yanked));
  if (best.release->yanked) diagnostics.warn(taken_back(label(best), *best.release->yanked));
  return chosen->text;
}

Result<> check_locked_release(const SourceTools& tools, const std::string& registry,
                              const PackageIndex& index, const std::string& version,
                              Diagnostics& diagnostics) {
  const PackageVersion* const release = index.find(version);
  if (release == nullptr || !release->yanked) return {};
  std::string what = taken_back(label_of(registry, index.name, version), *release->yanked);
  if (tools.refuse_yanked) return fail(ErrorCode::policy_yanked, *tools.refuse_yanked + ": " + what);
  diagnostics.warn(what + "; it stays, because it is locked");
  return {};
}

Result<std::shared_ptr<const Vouching>> vouching_of(const SourceTools& tools, const std::string& registry,
                                                    const PackageRecord& record, const std::string& version) {
  CURUPIRA_TRY(TrustedKeys trusted, read_trusted_keys(tools.files, tools.home, registry));
  RegistryProof proof{.registry = registry,
                      .package = record.index.name,
                      .version = version,
                      .metadata = record.proof,
                      .index = record.text};
  return std::make_shared<const Vouching>(std::move(proof), std::move(trusted));
}

std::string artifact_package(const PackageName& package, const std::string& file, bool is_archive) {
  return is_archive ? package.text() : package.text() + "/" + file;
}

std::string inner_package(const std::string& package, const std::string& file) {
  return package + ":" + file;
}

bool is_inner_file(std::string_view artifact_package, const std::string& package) {
  return artifact_package.starts_with(package + ":");
}

}  // namespace curupira::registry
