#include "installer/mirror_wanted.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "installer/bundle.h"
#include "installer/lock_python.h"
#include "installer/lock_resolver.h"
#include "installer/mirror_archive.h"
#include "registry/locked_npm.h"
#include "registry/npm_mirror.h"
#include "registry/npm_signatures.h"
#include "registry/python_lock.h"

namespace curupira::installer {
namespace {

using registry::MirrorFile;

/// A name that is plain in paths and addresses.
std::string plain_file_name(std::string name) {
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.+~").find(c) != std::string_view::npos;
    if (!plain) c = '_';
  }
  if (name.starts_with('.')) name.front() = '_';
  return name;
}

/// "archives/<sha256>/x.tar.gz": whoever has its digest from a lock file finds it.
MirrorFile archive_file(const registry::Artifact& artifact) {
  const Digest& digest = artifact.proof.any_of.front();
  const std::string name = plain_file_name(artifact.file_name);
  const std::string key = digest.algorithm() == DigestAlgorithm::sha256
                              ? digest.hex()
                              : std::string(name_of(digest.algorithm())) + "-" + digest.hex();
  return {.kind = MirrorFile::Kind::archive,
          .path = "archives/" + key + "/" + name,
          .package = name,
          .origin = std::get<Url>(artifact.location).to_string(),
          .integrity = digest.sri(),
          .sha256 = digest_of(DigestAlgorithm::sha256, "")};
}

Error not_mirrored(const std::string& what, const std::string& why) {
  return Error(ErrorCode::mirror_reference, printable(what) + ": " + why);
}

registry::Artifact artifact_of(const LockedArtifact& locked, const std::string& file_name, Url url) {
  return {.package = locked.package,
          .version = locked.version,
          .file_name = file_name,
          .location = std::move(url),
          .proof = {.any_of = {locked.digest}, .size = locked.size}};
}

}  // namespace

Result<std::string> MirrorWanted::add(const registry::Reference& reference,
                                      const std::vector<manifest::Platform>& platforms) {
  const std::string text = registry::to_string(reference);
  observer_.resolving(text);
  auto version = [&]() -> Result<std::string> {
    if (const auto* const npm = std::get_if<registry::NpmReference>(&reference))
      return add_npm(*npm, platforms);
    if (const auto* const pip = std::get_if<registry::PipReference>(&reference))
      return add_pip(*pip, platforms);
    if (const auto* const release = std::get_if<registry::RegistryReference>(&reference))
      return add_release(*release, platforms);
    const auto* const archive = std::get_if<registry::ArchiveReference>(&reference);
    if (archive == nullptr || !std::holds_alternative<Url>(archive->location))
      return fail(not_mirrored(text, "it is of this machine only, and has no address that others know"));
    CURUPIRA_CHECK(add_archive(*archive, platforms));
    return std::string();
  }();
  if (!version) return fail(std::move(version).error().while_doing("resolving " + printable(text)));
  return version;
}

Result<std::string> MirrorWanted::add_npm(const registry::NpmReference& npm,
                                          const std::vector<manifest::Platform>& platforms) {
  registry::NpmReference exact = npm;
  std::optional<Error> not_for;
  std::string version;
  for (const auto& platform : platforms) {
    auto resolution = registry::source_for(tools_.sources, exact).resolve(exact, platform, diagnostics_);
    if (!resolution && resolution.error().code() == ErrorCode::platform_missing) {
      not_for = std::move(resolution).error();
      continue;
    }
    if (!resolution) return fail(std::move(resolution).error());
    version = exact.range = resolution->version;
    CURUPIRA_CHECK(add_tarballs(std::move(resolution->artifacts)));
  }
  if (version.empty()) return fail(*std::move(not_for));
  if (not_for) diagnostics_.warn(not_for->detail());
  return version;
}

Result<> MirrorWanted::add_tarballs(std::vector<registry::Artifact> artifacts) {
  for (registry::Artifact& artifact : artifacts) {
    CURUPIRA_TRY(std::string path, registry::npm_tarball_path(artifact.package, artifact.version));
    npm_packages_.insert(artifact.package);
    MirrorFile file{.kind = MirrorFile::Kind::tarball,
                    .path = std::move(path),
                    .package = artifact.package,
                    .version = artifact.version,
                    .sha256 = digest_of(DigestAlgorithm::sha256, "")};
    CURUPIRA_CHECK(put(std::move(file), std::move(artifact)));
  }
  return {};
}

Result<std::string> MirrorWanted::add_pip(const registry::PipReference& pip,
                                          const std::vector<manifest::Platform>& platforms) {
  CURUPIRA_TRY(const registry::PythonLock lock,
               registry::lock_python(*tools_.source_tools, pip, platforms, diagnostics_));
  CURUPIRA_CHECK(add_wheels(lock, platforms));
  return lock.version;
}

Result<> MirrorWanted::add_wheels(const registry::PythonLock& lock,
                                  const std::vector<manifest::Platform>& platforms) {
  CURUPIRA_TRY(const auto wheels, registry::fitting_wheels(lock, platforms));
  std::vector<registry::ChosenWheel> missing;
  std::vector<std::string> paths;
  for (const auto& wheel : wheels) {
    CURUPIRA_TRY(std::string path, registry::python_wheel_path(wheel.package, wheel.file.name));
    python_packages_.insert(wheel.package);
    if (is_there(path, wheel.file.sha256)) continue;
    missing.push_back(wheel);
    paths.push_back(std::move(path));
  }
  CURUPIRA_TRY(auto artifacts,
               registry::locate_wheels(*tools_.source_tools, missing, [](const Digest&) { return false; }));
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    MirrorFile file{.kind = MirrorFile::Kind::wheel,
                    .path = paths[i],
                    .package = artifacts[i].package,
                    .version = artifacts[i].version,
                    .sha256 = digest_of(DigestAlgorithm::sha256, "")};
    CURUPIRA_CHECK(put(std::move(file), std::move(artifacts[i])));
  }
  return {};
}

Result<> MirrorWanted::add_archive(const registry::ArchiveReference& archive,
                                   const std::vector<manifest::Platform>& platforms) {
  CURUPIRA_TRY(const auto entry, lock_as_installed(tools_, archive, platforms, diagnostics_, observer_));
  if (entry) return add(*entry, platforms);
  CURUPIRA_TRY(auto resolution,
               registry::source_for(tools_.sources, archive).resolve(archive, tools_.platform, diagnostics_));
  registry::Artifact artifact = std::move(resolution.artifacts.front());
  MirrorFile file = archive_file(artifact);
  return put(std::move(file), std::move(artifact));
}

Result<std::string> MirrorWanted::add_release(const registry::RegistryReference& release,
                                              const std::vector<manifest::Platform>& platforms) {
  CURUPIRA_TRY(const auto entry, lock_as_installed(tools_, release, platforms, diagnostics_, observer_));
  if (!entry) return fail(not_mirrored(registry::to_string(release), "it has no manifest"));
  CURUPIRA_CHECK(add(*entry, platforms));
  return entry->version;
}

Result<> MirrorWanted::add(const LockedExtension& entry, const std::vector<manifest::Platform>& platforms) {
  observer_.resolving(entry.reference);
  CURUPIRA_TRY(const auto reference, registry::parse_reference(entry.reference));
  const auto* const release = std::get_if<registry::RegistryReference>(&reference);
  if (release != nullptr) releases_[release->registry].insert(release->package.text());
  std::vector<const LockedArtifact*> tarballs;
  for (const LockedArtifact& locked : entry.artifacts) {
    const bool needed = std::ranges::any_of(platforms, [&](const auto& each) { return locked.is_for(each); });
    if (is_python_file(entry, locked) || !needed) continue;
    if (!locked.locations.empty()) {
      tarballs.push_back(&locked);
      continue;
    }
    if (release != nullptr) continue;  // its registry has it
    if (locked.file.find("://") == std::string::npos) {
      diagnostics_.warn(printable(entry.name) + ": " + printable(locked.file) +
                        " is a file of that machine, and is not mirrored");
      continue;
    }
    CURUPIRA_TRY(Url url, Url::parse(locked.file));
    std::string name = url.file_name();
    registry::Artifact artifact = artifact_of(locked, name.empty() ? "archive" : name, std::move(url));
    MirrorFile file = archive_file(artifact);
    CURUPIRA_CHECK(put(std::move(file), std::move(artifact)));
  }
  if (entry.tree)
    diagnostics_.warn(printable(entry.name) +
                      " is a folder of that machine: it is not mirrored, only what "
                      "it needs of registries is");
  CURUPIRA_CHECK(add_locked_tarballs(entry, tarballs));
  if (entry.python.empty()) return {};
  return add_wheels(python_lock_of(entry, entry.source == "pip" ? entry.package : ""), platforms);
}

Result<> MirrorWanted::add_locked_tarballs(const LockedExtension& entry,
                                           const std::vector<const LockedArtifact*>& locked) {
  std::vector<const LockedArtifact*> missing;
  std::vector<registry::LockedTarball> tarballs;
  for (const LockedArtifact* const each : locked) {
    CURUPIRA_TRY(const std::string path, registry::npm_tarball_path(each->package, each->version));
    npm_packages_.insert(each->package);
    if (is_there(path, each->digest)) continue;
    missing.push_back(each);
    tarballs.push_back({each->package, each->version, each->file});
  }
  if (missing.empty()) return {};
  CURUPIRA_TRY(auto configuration, registry::NpmConfiguration::load(*tools_.source_tools, diagnostics_));
  registry::LockedNpm npm(*tools_.source_tools, std::move(configuration));
  CURUPIRA_CHECK(check_npm_source(entry, npm));
  CURUPIRA_TRY(auto addresses, npm.published_addresses(tarballs));
  std::vector<registry::Artifact> artifacts;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    artifacts.push_back(artifact_of(*missing[i],
                                    registry::npm_tarball_name(missing[i]->package, missing[i]->version),
                                    std::move(addresses[i])));
    artifacts.back().credentials = npm.credentials();
  }
  CURUPIRA_CHECK(registry::add_npm_signatures(*tools_.source_tools, artifacts, diagnostics_));
  CURUPIRA_CHECK(add_tarballs(std::move(artifacts)));
  for (const LockedArtifact* const each : missing) {
    CURUPIRA_TRY(const std::string path, registry::npm_tarball_path(each->package, each->version));
    if (const auto added = additions_.find(path); added != additions_.end())
      added->second.least = each->level;
  }
  return {};
}

bool MirrorWanted::is_there(const std::string& path, const Digest& digest) {
  if (!has_(path, digest)) return false;
  present_.insert(path);
  return true;
}

Result<> MirrorWanted::put(MirrorFile file, registry::Artifact artifact, manifest::VerificationLevel least) {
  const auto& digests = artifact.proof.any_of;
  if (std::ranges::any_of(digests, [&](const Digest& digest) { return is_there(file.path, digest); }))
    return {};
  const auto known = additions_.find(file.path);
  if (known == additions_.end()) {
    std::string path = file.path;
    additions_.emplace(
        std::move(path),
        MirrorAddition{.file = std::move(file), .artifact = std::move(artifact), .least = least});
    return {};
  }
  if (known->second.artifact.proof.any_of == digests) return {};
  return fail(ErrorCode::digest_mismatch, printable(file.path) + " has two digests: " +
                                              known->second.artifact.proof.any_of.front().sri() + " and " +
                                              digests.front().sri());
}

std::vector<MirrorAddition> MirrorWanted::take_additions() {
  std::vector<MirrorAddition> all;
  for (auto& [path, addition] : additions_)
    all.push_back(std::move(addition));
  additions_.clear();
  return all;
}

}  // namespace curupira::installer
