#include "installer/locked_release.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "installer/proof_store.h"
#include "registry/registry_clients.h"
#include "registry/registry_release.h"

namespace curupira::installer {
namespace {

using registry::RegistryReference;

Error differs(const LockedExtension& entry, const std::string& what, const std::string& locked,
              const std::string& found) {
  return Error(ErrorCode::lock_mismatch, printable(entry.name) + ": " + printable(what) + "\nexpected " +
                                             printable(locked) + "  found " + printable(found));
}

/// A file of the release, not of a closure that its manifest points to.
bool is_archive(const LockedArtifact& artifact, const RegistryReference& wanted) {
  return artifact.package == wanted.package.text() && artifact.tree && artifact.locations.empty();
}
bool is_platform_file(const LockedArtifact& artifact, const RegistryReference& wanted) {
  return artifact.package.starts_with(wanted.package.text() + "/") && artifact.locations.empty();
}

class LockedRelease {
 public:
  LockedRelease(const registry::SourceTools& tools, const Store& store, const LockedExtension& entry,
                const RegistryReference& wanted, Diagnostics& diagnostics)
      : tools_(tools), store_(store), entry_(entry), wanted_(wanted), diagnostics_(diagnostics) {}

  Result<registry::Resolution> resolve(std::span<const manifest::Platform> platforms) {
    CURUPIRA_TRY(registry::Resolution resolution, locked());
    const auto is_needed = [&](const LockedArtifact& file) {
      return std::ranges::any_of(platforms, [&](const auto& each) { return file.is_for(each); });
    };
    std::optional<Error> unproved;
    bool missing = false;
    for (const LockedArtifact* const file : files_) {
      if (!is_needed(*file)) continue;
      CURUPIRA_TRY(const bool there, store_.has_blob(file->digest));
      missing = missing || !there;
      if (!there || unproved || file->level == manifest::VerificationLevel::digest) continue;
      if (auto proved = check_proof(*file); !proved) unproved = std::move(proved).error();
    }
    for (const LockedArtifact& inner : entry_.artifacts)
      if (!unproved && registry::is_inner_file(inner.package, entry_.package) && is_needed(inner))
        if (auto proved = check_proof(inner); !proved) unproved = std::move(proved).error();
    if (!missing && !unproved) return resolution;
    auto asked = ask_registry(resolution);
    if (asked) return resolution;
    const ErrorCode code = asked.error().code();
    const bool silent = offline_ || code == ErrorCode::offline_missing || code == ErrorCode::registry_stale;
    if (!silent) return fail(std::move(asked).error());
    // What is there and was proved once: why that does not count any more is the better answer.
    if (!missing) return fail(*std::move(unproved));
    return fail(Error(ErrorCode::offline_missing,
                      printable(registry::name_in_policy(wanted_)) + " " + printable(entry_.version))
                    .caused_by(std::move(asked).error())
                    .with_help("`curupira plugins sync` on a machine with network brings it"));
  }

  Result<> confirm() {
    CURUPIRA_TRY(registry::Resolution resolution, locked());
    return ask_registry(resolution);
  }

 private:
  /// What the lock file says.
  Result<registry::Resolution> locked() {
    CURUPIRA_CHECK(collect());
    registry::Resolution resolution{.reference = wanted_,
                                    .package = wanted_.package.text(),
                                    .version = entry_.version,
                                    .artifacts = {},
                                    .content = registry::ReleaseContent{}};
    for (const LockedArtifact* const file : files_)
      resolution.artifacts.push_back(artifact_of(*file, resolution.artifacts.empty()));
    return resolution;
  }

  /// The archive first.
  Result<> collect() {
    for (const LockedArtifact& artifact : entry_.artifacts) {
      if (is_archive(artifact, wanted_)) files_.insert(files_.begin(), &artifact);
      if (is_platform_file(artifact, wanted_)) files_.push_back(&artifact);
    }
    const bool one_archive = !files_.empty() && is_archive(*files_.front(), wanted_) &&
                             (files_.size() == 1 || !is_archive(*files_[1], wanted_));
    if (one_archive) return {};
    return fail(ErrorCode::lock_mismatch, printable(entry_.name) +
                                              ": its entry does not have one archive of " +
                                              printable(registry::to_string(wanted_)));
  }

  /// Called as the registry's source calls it, so that what was edited in the lock file differs.
  registry::Artifact artifact_of(const LockedArtifact& locked, bool is_archive) const {
    return {.package = registry::artifact_package(wanted_.package, locked.file, is_archive),
            .version = entry_.version,
            .file_name = locked.file,
            .location = std::filesystem::path(locked.file),
            .proof = {.any_of = {locked.digest}, .size = locked.size}};
  }

  /// What is kept proves the locked level, and is this registry's word for a file of this package.
  Result<> check_proof(const LockedArtifact& locked) const {
    CURUPIRA_TRY(const auto kept, read_proof(store_, locked.digest));
    const auto* const word = kept ? std::get_if<registry::RegistryProof>(&kept->by) : nullptr;
    const bool own =
        word != nullptr && word->registry == wanted_.registry && word->package == wanted_.package;
    if (!own)
      return fail(ErrorCode::proof_damaged, printable(wanted_.registry) + " has not vouched for " +
                                                printable(locked.file) + " on this machine");
    CURUPIRA_TRY(const RepeatedProof proof, repeat_proof(store_, locked.digest));
    if (proof.level >= locked.level) return {};
    return fail(differs(entry_, locked.package + " " + locked.version + ", level",
                        std::string(manifest::name_of(locked.level)),
                        std::string(manifest::name_of(proof.level))));
  }

  Result<> ask_registry(registry::Resolution& resolution) {
    if (tools_.registry_clients == nullptr) return fail(ErrorCode::internal, "no registry can be asked");
    CURUPIRA_TRY(const auto client, tools_.registry_clients->open(wanted_.registry));
    offline_ = client->offline();
    CURUPIRA_TRY(const registry::PackageRecord record, client->find(wanted_.package));
    const registry::PackageVersion* const release = record.index.find(entry_.version);
    if (release == nullptr)
      return fail(ErrorCode::package_unlisted, printable(registry::name_in_policy(wanted_)) + " " +
                                                   printable(entry_.version) + ", which is locked");
    CURUPIRA_CHECK(
        registry::check_locked_release(tools_, wanted_.registry, record.index, entry_.version, diagnostics_));
    CURUPIRA_TRY(const auto vouching, registry::vouching_of(tools_, client->name(), record, entry_.version));
    for (std::size_t i = 0; i < files_.size(); ++i) {
      CURUPIRA_TRY(const registry::IndexArtifact file, vouched_file(*release, *files_[i], i == 0));
      resolution.artifacts[i].location = registry::RegistryFile{client, file};
      resolution.artifacts[i].proof.vouched = vouching;
    }
    resolution.content =
        registry::ReleaseContent{.manifest = digest_of(DigestAlgorithm::sha256, release->manifest)};
    return {};
  }

  /// What the registry has under the file's name, which has to be what was locked.
  Result<registry::IndexArtifact> vouched_file(const registry::PackageVersion& release,
                                               const LockedArtifact& locked, bool is_archive) const {
    const std::string label = locked.package + " " + locked.version + ", ";
    const auto of_name = [&](const registry::IndexArtifact& each) {
      const bool first = &each == release.artifacts.data();
      return first == is_archive && each.file == locked.file;
    };
    const auto found = std::ranges::find_if(release.artifacts, of_name);
    if (found == release.artifacts.end())
      return fail(differs(entry_, label + "file", locked.file, "none of the release"));
    if (found->sha256 != locked.digest)
      return fail(differs(entry_, label + "digest", locked.digest.sri(), found->sha256.sri()));
    if (locked.size && found->size != *locked.size)
      return fail(differs(entry_, label + "size", std::to_string(*locked.size), std::to_string(found->size)));
    return *found;
  }

  const registry::SourceTools& tools_;
  const Store& store_;
  const LockedExtension& entry_;
  const RegistryReference& wanted_;
  Diagnostics& diagnostics_;
  std::vector<const LockedArtifact*> files_;
  bool offline_ = false;  ///< only what was read before is known of the registry
};

}  // namespace

Result<registry::Resolution> resolve_locked_release(const registry::SourceTools& tools, const Store& store,
                                                    const LockedExtension& entry,
                                                    const RegistryReference& wanted,
                                                    std::span<const manifest::Platform> platforms,
                                                    Diagnostics& diagnostics) {
  return LockedRelease(tools, store, entry, wanted, diagnostics).resolve(platforms);
}

Result<> confirm_locked_release(const registry::SourceTools& tools, const Store& store,
                                const LockedExtension& entry, const registry::RegistryReference& wanted,
                                Diagnostics& diagnostics) {
  return LockedRelease(tools, store, entry, wanted, diagnostics).confirm();
}

}  // namespace curupira::installer
