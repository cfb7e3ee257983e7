#include "installer/bundle_install.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/file_copy.h"
#include "base/printable.h"
#include "installer/bundled_registry.h"
#include "installer/fetch_intake.h"
#include "installer/lock_entry.h"
#include "installer/lock_python.h"
#include "installer/lock_transaction.h"
#include "installer/source_resolver.h"
#include "installer/unpack.h"
#include "registry/python_lock.h"

namespace curupira::installer {
namespace {

using Kind = BundleItem::Kind;

std::string list_of(const std::vector<manifest::Platform>& platforms) {
  std::string text;
  for (const auto& platform : platforms)
    text += (text.empty() ? "" : ", ") + platform.text();
  return text;
}

/// The entry as a lock file for fewer platforms has it.
LockedExtension for_platforms(LockedExtension entry, const std::vector<manifest::Platform>& platforms) {
  std::erase_if(entry.artifacts, [&](const LockedArtifact& artifact) {
    return std::ranges::none_of(platforms, [&](const auto& each) { return artifact.is_for(each); });
  });
  for (auto& artifact : entry.artifacts)
    std::erase_if(artifact.platforms,
                  [&](const auto& each) { return std::ranges::find(platforms, each) == platforms.end(); });
  normalize(entry.artifacts, platforms);
  if (!entry.artifacts.empty())
    entry.level = std::ranges::min(entry.artifacts, {}, &LockedArtifact::level).level;
  return entry;
}

/// What the bundle says of it, in the home's lock file.
Result<> merge(const Bundle& bundle, const InstallOptions& options, OpenedLock& opened) {
  LockFile& lock = opened.lock;
  if (!opened.before && options.lock->platforms.empty()) {
    lock.platforms = bundle.lock().platforms;
    lock.comment = bundle.lock().comment;
  }
  for (const auto& platform : lock.platforms)
    if (!bundle.lock().has(platform))
      return fail(Error(ErrorCode::lock_platform, printable(opened.file.string()) + " is for " +
                                                      platform.text() + ", the bundle's lock file for " +
                                                      list_of(bundle.lock().platforms))
                      .with_help("create the bundle from a lock file for the same platforms"));
  for (const LockedExtension& entry : bundle.lock().extensions) {
    LockedExtension own = for_platforms(entry, lock.platforms);
    if (const LockedExtension* const before = lock.find(own.name)) {
      auto same = check_same_bytes(*before, own);
      if (!same)
        return fail(std::move(same).error().while_doing("comparing the bundle with " +
                                                        printable(opened.file.string())));
    }
    lock.put(std::move(own));
  }
  return {};
}

/// Brings things out of the bundle into the store.
class Import {
 public:
  Import(const InstallerTools& tools, const Bundle& bundle, const LockTransaction& transaction)
      : tools_(tools), bundle_(bundle), store_(transaction.store()), run_(transaction.run()) {}

  Result<> entry(const LockedExtension& entry) {
    CURUPIRA_TRY(const auto wheels, wheels_of(entry));
    for (const LockedArtifact& locked : entry.artifacts) {
      const bool needed = is_python_file(entry, locked)
                              ? std::ranges::find(wheels, locked.digest) != wheels.end()
                              : locked.is_for(tools_.platform);
      if (needed) CURUPIRA_CHECK(artifact(locked));
    }
    return entry.tree ? tree(*entry.tree) : Result<>();
  }

 private:
  /// Those that this machine's Python chooses.
  Result<std::vector<Digest>> wheels_of(const LockedExtension& entry) const {
    std::vector<Digest> digests;
    if (entry.python.empty()) return digests;
    const registry::PythonLock closure = python_lock_of(entry, entry.source == "pip" ? entry.package : "");
    CURUPIRA_TRY(const auto python, python_for(*tools_.source_tools, tools_.platform, closure));
    CURUPIRA_TRY(const auto wheels, registry::choose_wheels(closure, python));
    for (const auto& wheel : wheels)
      digests.push_back(wheel.file.sha256);
    return digests;
  }

  Result<const BundleItem*> carried(Kind kind, const std::string& key, const std::string& name) const {
    const BundleItem* const item = bundle_.contents().find(kind, key);
    if (item == nullptr) return fail(ErrorCode::bundle_blob_missing, printable(name) + " (" + key + ")");
    if (!item->carried)
      return fail(ErrorCode::bundle_base_missing, printable(item->name) + " (" + key +
                                                      ")\nis in the bundle " +
                                                      registry::oci_digest(*bundle_.contents().since));
    return item;
  }

  /// `in_store`: the store has the bytes, only what proves them came along.
  Result<VerifiedArtifact> extract(const BundleItem& item, const registry::Artifact& artifact,
                                   const std::optional<std::filesystem::path>& in_store = {}) const {
    const auto take = [&]() -> Result<VerifiedArtifact> {
      CURUPIRA_TRY(const auto folder, run_.new_folder("bundle-"));
      FetchIntake intake(artifact, run_.fetch_limits, folder / "blob");
      CURUPIRA_CHECK(intake.open(run_.files));
      CURUPIRA_CHECK(in_store ? copy_into(*in_store, intake.sink())
                              : bundle_.archive().read(item.blob, intake.sink()));
      CURUPIRA_TRY(FetchedArtifact fetched, intake.finish(nullptr));
      return verify(std::move(fetched), artifact.proof);
    };
    auto taken = take();
    if (!taken)
      return fail(
          std::move(taken).error().while_doing("taking " + printable(item.name) + " out of the bundle"));
    return taken;
  }

  Result<> artifact(const LockedArtifact& locked) {
    CURUPIRA_TRY(const bool there, store_.has_blob(locked.digest));
    CURUPIRA_TRY(const auto proof, bundle_.proof(locked.digest));
    if (there && (!proof || repeat_proof(store_, locked.digest))) return {};
    const BundleItem* item = bundle_.contents().find(Kind::artifact, locked.digest.sri());
    const bool from_store = there && item != nullptr && !item->carried;
    if (!from_store) {
      CURUPIRA_TRY(item, carried(Kind::artifact, locked.digest.sri(), locked.file));
    }
    if (locked.size && *locked.size != item->size)
      return fail(ErrorCode::size_mismatch, printable(item->name) + ": expected " +
                                                std::to_string(*locked.size) + " bytes  found " +
                                                std::to_string(item->size));
    registry::Artifact artifact{.package = locked.package,
                                .version = locked.version,
                                .file_name = item->name,
                                .location = std::filesystem::path(item->name),
                                .proof = {.any_of = {locked.digest}, .size = locked.size}};
    if (proof) {
      CURUPIRA_TRY(auto vouched, proof_of(store_, *proof));
      artifact.proof.signatures = std::move(vouched.signatures);
      artifact.proof.vouched = std::move(vouched.vouched);
    }
    CURUPIRA_TRY(
        VerifiedArtifact verified,
        extract(*item, artifact, from_store ? std::optional(store_.blob(locked.digest)) : std::nullopt));
    CURUPIRA_CHECK(run_.session.keep_blob(std::move(verified)));
    return {};
  }

  Result<> tree(const std::string& digest) {
    CURUPIRA_TRY(const bool there, store_.has_tree(digest));
    if (there) return {};
    CURUPIRA_TRY(const BundleItem* const item, carried(Kind::tree, digest, "a folder"));
    const registry::Artifact artifact{.package = item->name,
                                      .version = {},
                                      .file_name = item->name + ".tar",
                                      .location = std::filesystem::path(item->name),
                                      .proof = {.any_of = {item->blob}, .size = item->size}};
    CURUPIRA_TRY(const VerifiedArtifact packed, extract(*item, artifact));
    CURUPIRA_TRY(const auto folder, run_.new_folder("tree-"));
    CURUPIRA_TRY(const TreeListing listing, unpack(packed, {.plain_tar = true}, run_.archive_limits, folder));
    if (listing.digest() != digest)
      return fail(ErrorCode::bundle_blob_changed, "the folder of " + printable(item->name) +
                                                      "\nexpected tree " + digest + "  found " +
                                                      listing.digest());
    CURUPIRA_CHECK(run_.session.keep_tree(folder, listing));
    return {};
  }

  const InstallerTools& tools_;
  const Bundle& bundle_;
  const Store& store_;
  InstallRun run_;
};

}  // namespace

Result<PreparedInstall> prepare_bundle(const InstallerTools& tools, const Bundle& bundle,
                                       const InstallOptions& options, Diagnostics& diagnostics,
                                       InstallObserver& observer) {
  const auto& platforms = bundle.contents().platforms;
  if (std::ranges::find(platforms, tools.platform) == platforms.end())
    return fail(ErrorCode::bundle_platform,
                "this is " + tools.platform.text() + ", the bundle is for " + list_of(platforms));
  LockTransaction transaction(tools, options, diagnostics, observer);
  CURUPIRA_CHECK(transaction.open("bundle install"));
  CURUPIRA_CHECK(read_bundled_registries(tools, bundle, transaction.store(), diagnostics));
  CURUPIRA_CHECK(merge(bundle, options, transaction.lock()));
  Import import(tools, bundle, transaction);
  for (const LockedExtension& entry : bundle.lock().extensions) {
    CURUPIRA_CHECK(import.entry(entry));
    const LockedExtension own = *transaction.lock().lock.find(entry.name);
    CURUPIRA_CHECK(transaction.bring(own, LockResolver::Folders::from_store));
  }
  return transaction.finish();
}

}  // namespace curupira::installer
