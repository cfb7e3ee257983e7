#include "installer/lock_resolver.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "installer/lock_python.h"
#include "installer/locked_release.h"
#include "installer/proof_store.h"
#include "installer/source_resolver.h"
#include "registry/npm_signatures.h"

namespace curupira::installer {
namespace {

registry::Artifact artifact_of(const LockedArtifact& locked) {
  return {.package = locked.package,
          .version = locked.version,
          .file_name = locked.file,
          .location = std::filesystem::path(locked.file),
          .proof = {.any_of = {locked.digest}, .size = locked.size}};
}

Error lacks(const LockedExtension& entry, const std::string& what) {
  return Error(ErrorCode::lock_mismatch,
               printable(entry.name) + ": its entry has nothing of " + printable(what));
}

}  // namespace

Result<registry::Resolution> LockResolver::resolve(const registry::Reference& reference,
                                                   const manifest::Platform& platform) {
  auto resolution = [&]() -> Result<registry::Resolution> {
    if (const auto* const npm = std::get_if<registry::NpmReference>(&reference))
      return resolve_npm(*npm, platform);
    if (const auto* const pip = std::get_if<registry::PipReference>(&reference))
      return resolve_pip(*pip, platform);
    if (const auto* const archive = std::get_if<registry::ArchiveReference>(&reference))
      return resolve_archive(*archive);
    if (const auto* const release = std::get_if<registry::RegistryReference>(&reference))
      return resolve_release(*release, platform);
    return resolve_path(std::get<registry::PathReference>(reference));
  }();
  if (resolution) resolution->reference = reference;
  return resolution;
}

Result<registry::Resolution> LockResolver::resolve_npm(const registry::NpmReference& npm,
                                                       const manifest::Platform& platform) {
  registry::Resolution resolution{.reference = npm,
                                  .package = npm.name,
                                  .version = {},
                                  .artifacts = {},
                                  .content = registry::LocalFolder{}};
  registry::NodeClosure closure{.root = npm.name, .packages = {}};
  const std::string root = "node_modules/" + npm.name;
  bool elsewhere = false;
  std::vector<const LockedArtifact*> members;
  for (const auto& locked : entry_.artifacts) {
    if (locked.locations.empty()) continue;
    if (locked.is_for(platform))
      members.push_back(&locked);
    else
      elsewhere = elsewhere ||
                  std::ranges::find(locked.locations, root, &RelativePath::text) != locked.locations.end();
  }
  // In the order in which the npm source has them: the receipt is the same then.
  std::ranges::sort(members, {}, [](const LockedArtifact* member) { return member->locations.front(); });
  for (const auto* const member : members) {
    const LockedArtifact& locked = *member;
    for (const auto& location : locked.locations) {
      if (location.text() == root) resolution.version = locked.version;
      closure.packages.push_back({location, locked.package, locked.version, resolution.artifacts.size()});
    }
    resolution.artifacts.push_back(artifact_of(locked));
  }
  if (resolution.version.empty()) {
    if (elsewhere)
      return fail(ErrorCode::platform_missing,
                  printable(entry_.name) + " is locked for other platforms, this is " + platform.text());
    return fail(lacks(entry_, root));
  }
  std::ranges::sort(closure.packages, {}, &registry::NodePackage::location);
  const auto twice = std::ranges::adjacent_find(closure.packages, {}, &registry::NodePackage::location);
  if (twice != closure.packages.end())
    return fail(ErrorCode::lock_mismatch,
                printable(entry_.name) + ": two packages at " + printable(twice->location.text()));
  resolution.content = std::move(closure);
  CURUPIRA_CHECK(find_tarballs(resolution, members));
  return resolution;
}

/// Only what the store lacks has to be found, and only what it cannot prove has to be proved. `members`:
/// those of the artifacts, in their order.
Result<> LockResolver::find_tarballs(registry::Resolution& resolution,
                                     const std::vector<const LockedArtifact*>& members) {
  std::vector<registry::Artifact*> missing, unproved;
  for (std::size_t i = 0; i < members.size(); ++i) {
    registry::Artifact& artifact = resolution.artifacts[i];
    CURUPIRA_TRY(const bool there, store_.has_blob(artifact.proof.any_of.front()));
    if (!there) missing.push_back(&artifact);
    const bool promised = members[i]->level != manifest::VerificationLevel::digest;
    if (!there || (promised && with_kept_proof(store_, artifact).signatures.empty()))
      unproved.push_back(&artifact);
  }
  if (unproved.empty() || tools_.http == nullptr) return {};
  CURUPIRA_TRY(auto configuration, registry::NpmConfiguration::load(tools_, diagnostics_));
  registry::LockedNpm npm(tools_, std::move(configuration));
  CURUPIRA_CHECK(check_source(npm));
  std::vector<registry::LockedTarball> tarballs;
  for (const auto* const artifact : missing)
    tarballs.push_back({artifact->package, artifact->version, artifact->file_name});
  std::vector<Url> addresses;
  if (choices_.ask_registry) {
    CURUPIRA_TRY(addresses, npm.published_addresses(tarballs));
  } else {
    for (const auto& tarball : tarballs) {
      CURUPIRA_TRY(Url address, npm.usual_address(tarball));
      addresses.push_back(std::move(address));
    }
  }
  for (std::size_t i = 0; i < missing.size(); ++i) {
    missing[i]->location = addresses[i];
    missing[i]->credentials = npm.credentials();
  }
  return add_signatures(unproved);
}

/// A name belongs to one registry. A scope that had its own when it was locked must not come from the public
/// one (dependency confusion), nor the other way round.
Result<> LockResolver::check_source(const registry::LockedNpm& npm) const {
  if (!entry_.source.starts_with("npm")) return {};
  const std::string here = npm.logical_source(entry_.package);
  if (here == entry_.source) return {};
  const bool had_its_own = entry_.source.starts_with("npm:@");
  const std::string scope = printable((had_its_own ? entry_.source : here).substr(4));
  const std::string what = printable(entry_.name) + ": source\nexpected " + printable(entry_.source) +
                           "  found " + printable(here) + ": ";
  if (had_its_own)
    return fail(
        Error(ErrorCode::lock_mismatch, what + "no registry is named for " + scope + " on this machine")
            .with_help("name it in ~/.npmrc: " + scope + ":registry=https://…"));
  return fail(Error(ErrorCode::lock_mismatch, what + scope + " has a registry of its own on this machine")
                  .with_help("lock it again here, or take the line " + scope + ":registry= out of .npmrc"));
}

/// A registry that signs has to vouch for what it gives, as when it was locked; the proof is kept beside the
/// bytes.
Result<> LockResolver::add_signatures(const std::vector<registry::Artifact*>& unproved) const {
  std::vector<registry::Artifact> artifacts;
  for (const auto* const artifact : unproved)
    artifacts.push_back(*artifact);
  CURUPIRA_CHECK(registry::add_npm_signatures(tools_, artifacts, diagnostics_));
  for (std::size_t i = 0; i < unproved.size(); ++i)
    unproved[i]->proof.signatures = std::move(artifacts[i].proof.signatures);
  return {};
}

Result<registry::Resolution> LockResolver::resolve_pip(const registry::PipReference& pip,
                                                       const manifest::Platform& platform) {
  python_ = python_lock_of(entry_, pip.name);
  if (python_->version.empty()) return fail(lacks(entry_, pip.name));
  CURUPIRA_TRY(const registry::PythonTarget python, python_for(tools_, platform, *python_));
  const auto at_hand = [&](const Digest& digest) {
    const auto there = store_.has_blob(digest);
    return there && *there;
  };
  auto resolution = registry::resolve_locked(tools_, pip, *python_, python, at_hand, &diagnostics_);
  if (!resolution && resolution.error().code() == ErrorCode::offline_missing)
    return fail(std::move(resolution)
                    .error()
                    .with_help("`curupira plugins sync` on a machine with network brings it"));
  return resolution;
}

Result<registry::Resolution> LockResolver::resolve_release(const registry::RegistryReference& wanted,
                                                           const manifest::Platform& platform) {
  auto platforms = choices_.other_platforms;
  platforms.push_back(platform);
  return resolve_locked_release(tools_, store_, entry_, wanted, platforms, diagnostics_);
}

Result<registry::Resolution> LockResolver::resolve_path(const registry::PathReference& path) {
  auto folder = path.folder;
  bool from_store = choices_.folders == Folders::from_store;
  if (choices_.folders == Folders::else_from_store) {
    CURUPIRA_TRY(const auto status, store_.files().status(folder));
    from_store = !status;
  }
  if (from_store) {
    CURUPIRA_TRY(const bool there, entry_.tree ? store_.has_tree(*entry_.tree) : Result<bool>(false));
    if (there)
      folder = store_.tree(*entry_.tree);
    else if (choices_.folders == Folders::from_store)
      return fail(lacks(entry_, "its folder"));
  }
  return registry::Resolution{.reference = path,
                              .package = {},
                              .version = {},
                              .artifacts = {},
                              .content = registry::LocalFolder{std::move(folder)}};
}

Result<registry::Resolution> LockResolver::resolve_archive(const registry::ArchiveReference& archive) {
  registry::Resolution resolution{.reference = archive,
                                  .package = {},
                                  .version = {},
                                  .artifacts = {},
                                  .content = registry::ArchiveContent{.artifact = 0}};
  const auto* const url = std::get_if<Url>(&archive.location);
  const auto* const path = std::get_if<std::filesystem::path>(&archive.location);
  const std::string name = url != nullptr ? url->to_string() : path->filename().string();
  const auto found = std::ranges::find_if(entry_.artifacts, [&](const LockedArtifact& locked) {
    return url != nullptr ? locked.file == name : std::filesystem::path(locked.file).filename() == name;
  });
  if (found == entry_.artifacts.end()) return fail(lacks(entry_, name));
  if (archive.sha256 && *archive.sha256 != found->digest)
    return fail(ErrorCode::lock_mismatch, printable(entry_.name) + ": digest\nexpected " +
                                              archive.sha256->sri() + " (its reference)  found " +
                                              found->digest.sri());
  registry::Artifact artifact = artifact_of(*found);
  artifact.file_name = found->package;
  if (url != nullptr)
    artifact.location = url->without_fragment();
  else
    artifact.location = *path;
  resolution.artifacts.push_back(std::move(artifact));
  return resolution;
}

}  // namespace curupira::installer
