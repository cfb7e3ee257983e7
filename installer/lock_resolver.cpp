#include "installer/lock_resolver.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "installer/lock_python.h"
#include "installer/source_resolver.h"
#include "registry/locked_npm.h"
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
    return registry::Resolution{
        .reference = reference,
        .package = {},
        .version = {},
        .artifacts = {},
        .content = registry::LocalFolder{std::get<registry::PathReference>(reference).folder}};
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
      elsewhere = true;
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
  CURUPIRA_CHECK(find_tarballs(resolution));
  return resolution;
}

/// Only what the store lacks has to be found.
Result<> LockResolver::find_tarballs(registry::Resolution& resolution) {
  std::vector<registry::Artifact*> missing;
  for (auto& artifact : resolution.artifacts) {
    CURUPIRA_TRY(const bool there, store_.has_blob(artifact.proof.any_of.front()));
    if (!there) missing.push_back(&artifact);
  }
  if (missing.empty() || tools_.http == nullptr) return {};
  CURUPIRA_TRY(auto configuration, registry::NpmConfiguration::load(tools_, diagnostics_));
  registry::LockedNpm npm(tools_, std::move(configuration));
  // A scope that had its own registry when it was locked must not come from the public one
  // (dependency confusion).
  if (entry_.source.starts_with("npm:@")) {
    const std::string scope = entry_.source.substr(4);
    if (npm.logical_source(scope + "/x") != entry_.source)
      return fail(Error(ErrorCode::lock_mismatch,
                        printable(entry_.name) + ": source " + printable(entry_.source) +
                            ", and no registry is named for " + printable(scope) + " on this machine")
                      .with_help("name it in ~/.npmrc: " + printable(scope) + ":registry=https://…"));
  }
  std::vector<registry::LockedTarball> tarballs;
  for (const auto* const artifact : missing)
    tarballs.push_back({artifact->package, artifact->version, artifact->file_name});
  std::vector<Url> addresses;
  if (ask_registry_) {
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
  // What was signed when it was locked is signed here, too: the proof is kept beside the bytes.
  if (entry_.level == manifest::VerificationLevel::digest) return {};
  return registry::add_npm_signatures(tools_, resolution.artifacts, diagnostics_);
}

Result<registry::Resolution> LockResolver::resolve_pip(const registry::PipReference& pip,
                                                       const manifest::Platform& platform) {
  python_ = python_lock_of(entry_, pip.name);
  if (python_->version.empty()) return fail(lacks(entry_, pip.name));
  CURUPIRA_TRY(const registry::PythonTarget python, python_for(tools_, platform, *python_));
  auto resolution = registry::resolve_locked(tools_, pip, *python_, python, [&](const Digest& digest) {
    const auto there = store_.has_blob(digest);
    return there && *there;
  });
  if (!resolution && resolution.error().code() == ErrorCode::offline_missing)
    return fail(std::move(resolution)
                    .error()
                    .with_help("`curupira plugins sync` on a machine with network brings it"));
  return resolution;
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
