#include "installer/bundle_create.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/timestamp.h"
#include "installer/lock_transaction.h"
#include "installer/proof_store.h"
#include "installer/tree_archive.h"
#include "registry/local_file.h"
#include "registry/oci_archive_writer.h"
#include "registry/recorded_registry.h"
#include "registry/registry_clients.h"
#include "registry/registry_trust.h"

namespace curupira::installer {
namespace {

using Kind = BundleItem::Kind;

/// Which platforms the bundle is for. Errors: lock_missing, lock_platform, those of parse_lock.
Result<std::vector<manifest::Platform>> platforms_of(const FileSystem& files, const BundleRequest& request) {
  const auto& file = request.install.lock->file;
  const auto text = files.read_file(file, max_lock_bytes);
  if (!text && text.error().code() == ErrorCode::file_not_found)
    return fail(ErrorCode::lock_missing, printable(file.string()));
  if (!text) return fail(text.error());
  CURUPIRA_TRY(const LockFile lock, parse_lock(*text, file));
  auto platforms = request.platforms.empty() ? lock.platforms : request.platforms;
  std::ranges::sort(platforms);
  const auto twice = std::ranges::unique(platforms);
  platforms.erase(twice.begin(), twice.end());
  for (const auto& platform : platforms)
    if (!lock.has(platform))
      return fail(ErrorCode::lock_platform, printable(file.string()) + " is not for " + platform.text());
  return platforms;
}

/// Before anything is fetched for it.
Result<> check_output(const FileSystem& files, const std::filesystem::path& output) {
  CURUPIRA_TRY(const auto there, files.status(output));
  if (!there || there->type == FileType::regular) return {};
  return fail(ErrorCode::file_failed,
              printable(output.string()) + " is no regular file, and is not replaced");
}

/// Collects what goes into the bundle, each thing once.
class Collection {
 public:
  Collection(const Store& store, const std::optional<Bundle>& base) : store_(store), base_(base) {}

  Result<> add_text(Kind kind, std::string key, std::string name, std::string text) {
    const Digest blob = digest_of(DigestAlgorithm::sha256, text);
    const std::uint64_t size = text.size();
    return add({.kind = kind, .key = std::move(key), .name = std::move(name), .blob = blob, .size = size},
               {.descriptor = {media_type_of(kind), blob, size}, .bytes = std::move(text)});
  }
  Result<> add_file(Kind kind, std::string key, std::string name, const std::filesystem::path& file) {
    CURUPIRA_TRY(const auto measured, registry::measure_local_file(file, UINT64_MAX));
    return add({.kind = kind,
                .key = std::move(key),
                .name = std::move(name),
                .blob = measured.sha256,
                .size = measured.size},
               {.descriptor = {media_type_of(kind), measured.sha256, measured.size}, .file = file});
  }
  /// With what proved it.
  Result<> add_artifact(const LockedArtifact& artifact) {
    const std::string key = artifact.digest.sri();
    std::string name = artifact.file.substr(artifact.file.rfind('/') + 1);
    CURUPIRA_TRY(auto proof, read_proof(store_, artifact.digest));
    if (proof) {
      // When it was asked for is no part of what is proved: two machines write the same bundle.
      if (auto* const signatures = std::get_if<std::vector<registry::RegistrySignature>>(&proof->by))
        for (auto& signature : *signatures)
          signature.obtained.clear();
      CURUPIRA_CHECK(add_text(Kind::proof, key, name, proof_text(*proof)));
    }
    return add_file(Kind::artifact, key, std::move(name), store_.blob(artifact.digest));
  }
  Result<> add_tree(const InstallRun& run, const std::string& tree, const std::string& extension) {
    CURUPIRA_TRY(const auto folder, run.new_folder("bundle-"));
    const auto packed = folder / "tree.tar";
    CURUPIRA_TRY(const auto file, run.files.create_file(packed, 0600));
    auto done = pack_tree(store_, tree, run.archive_limits, *file);
    if (!done)
      return fail(std::move(done).error().while_doing("packing the folder of " + printable(extension)));
    CURUPIRA_CHECK(file->commit());
    return add_file(Kind::tree, tree, extension, packed);
  }

  std::vector<BundleItem> items() const {
    std::vector<BundleItem> all;
    for (const auto& [place, item] : items_)
      all.push_back(item);
    return all;
  }
  std::vector<registry::OciBlob> take_blobs() { return std::move(blobs_); }

 private:
  Result<> add(BundleItem item, registry::OciBlob blob) {
    const auto place = std::pair(item.kind, item.key);
    if (items_.contains(place)) return {};
    const BundleItem* const had = base_ ? base_->contents().find(item.kind, item.key) : nullptr;
    const bool always = item.kind == Kind::lock || is_of_registry(item.kind);
    item.carried = always || had == nullptr || had->blob != item.blob;
    const auto same = [&](const registry::OciBlob& other) {
      return other.descriptor.digest == blob.descriptor.digest;
    };
    if (item.carried && std::ranges::none_of(blobs_, same)) blobs_.push_back(std::move(blob));
    items_.emplace(place, std::move(item));
    return {};
  }

  const Store& store_;
  const std::optional<Bundle>& base_;
  std::map<std::pair<Kind, std::string>, BundleItem> items_;
  std::vector<registry::OciBlob> blobs_;
};

/// What the registries of the entries say of them, for an update without a network.
Result<> collect_registries(const InstallerTools& tools, LockTransaction& transaction, const LockFile& lock,
                            Collection& collection, Diagnostics& diagnostics) {
  std::map<std::string, std::set<registry::PackageName>> wanted;
  for (const LockedExtension& entry : lock.extensions) {
    if (registry_of(entry).empty()) continue;
    CURUPIRA_TRY(auto package, registry::PackageName::parse(entry.package));
    wanted[registry_of(entry)].insert(std::move(package));
  }
  const registry::SourceTools& sources = *tools.source_tools;
  for (const auto& [name, packages] : wanted) {
    // Also sees that what is recorded below is not older than what is trusted here.
    CURUPIRA_TRY(const auto client, sources.registry_clients->open(name));
    const auto first = registry::RegistryTrust(tools.files, tools.home, name).first_root();
    if (!first) return fail(ErrorCode::tuf_trust_missing, name);
    const auto settings = std::ranges::find(*sources.registries, name, &manifest::RegistrySettings::name);
    CURUPIRA_TRY(const auto scratch, transaction.run().new_folder("registry-"));
    CURUPIRA_TRY(auto recorded,
                 registry::record_registry(sources, *settings, *first, packages, scratch, diagnostics));
    for (auto& [file, bytes] : recorded.metadata)
      CURUPIRA_CHECK(collection.add_text(Kind::metadata, name + "/" + file, file, std::move(bytes)));
    for (auto& [path, bytes] : recorded.targets)
      CURUPIRA_CHECK(collection.add_text(Kind::target, name + "/" + path, path, std::move(bytes)));
  }
  return {};
}

Result<> collect(LockTransaction& transaction, const std::vector<manifest::Platform>& platforms,
                 Collection& collection) {
  const InstallRun run = transaction.run();
  const LockFile lock = transaction.lock().lock;
  CURUPIRA_CHECK(collection.add_text(Kind::lock, "", std::string(lock_file_name),
                                     transaction.lock().before.value_or("")));
  for (const LockedExtension& entry : lock.extensions) {
    CURUPIRA_TRY(const auto wheels, transaction.bring_for(entry, platforms));
    for (const LockedArtifact& artifact : entry.artifacts) {
      const bool needed =
          is_python_file(entry, artifact)
              ? std::ranges::find(wheels, artifact.digest) != wheels.end()
              : std::ranges::any_of(platforms, [&](const auto& each) { return artifact.is_for(each); });
      if (needed) CURUPIRA_CHECK(collection.add_artifact(artifact));
    }
    if (entry.tree) CURUPIRA_CHECK(collection.add_tree(run, *entry.tree, entry.name));
  }
  return {};
}

}  // namespace

Result<Bundle> create_bundle(const InstallerTools& tools, const BundleRequest& request,
                             Diagnostics& diagnostics, InstallObserver& observer) {
  CURUPIRA_TRY(const auto platforms, platforms_of(tools.files, request));
  CURUPIRA_CHECK(check_output(tools.files, request.output));
  std::optional<Bundle> base;
  if (request.since) {
    CURUPIRA_TRY(base, Bundle::open(*request.since));
  }
  InstallerTools own = tools;
  if (std::ranges::find(platforms, own.platform) == platforms.end()) own.platform = platforms.front();
  LockTransaction transaction(own, request.install, diagnostics, observer);
  CURUPIRA_CHECK(transaction.open("bundle create"));
  Collection collection(transaction.store(), base);
  CURUPIRA_CHECK(collect(transaction, platforms, collection));
  CURUPIRA_CHECK(collect_registries(tools, transaction, transaction.lock().lock, collection, diagnostics));

  BundleContents contents{.platforms = platforms, .items = collection.items()};
  if (request.created) contents.created = format_timestamp(*request.created);
  if (base) contents.since = base->digest();
  std::string config = write_bundle_contents(contents);
  registry::OciManifest manifest{.artifact_type = std::string(bundle_artifact_type),
                                 .config = {std::string(bundle_config_media_type),
                                            digest_of(DigestAlgorithm::sha256, config), config.size()},
                                 .layers = {}};
  std::vector<registry::OciBlob> blobs = collection.take_blobs();
  for (const auto& blob : blobs)
    manifest.layers.push_back(blob.descriptor);
  if (request.created) manifest.annotations["org.opencontainers.image.created"] = contents.created;
  blobs.push_back({.descriptor = manifest.config, .bytes = std::move(config)});
  const auto modified = request.created ? request.created->time_since_epoch().count() : 0;
  auto written = registry::write_oci_archive(tools.files, request.output, manifest, std::move(blobs),
                                             static_cast<std::uint64_t>(modified));
  if (!written)
    return fail(std::move(written).error().while_doing("writing " + printable(request.output.string())));
  CURUPIRA_CHECK(transaction.finish().keep());
  return Bundle::open(request.output);
}

}  // namespace curupira::installer
