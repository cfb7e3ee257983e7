#include "installer/bundle.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/printable.h"
#include "installer/limits.h"

namespace curupira::installer {
namespace {

using Kind = BundleItem::Kind;

std::string shown(const BundleItem& item) {
  return std::string(word_of(item.kind)) + ' ' + printable(item.name) + " (" +
         registry::oci_digest(item.blob) + ")";
}

bool is_needed(const LockedArtifact& artifact, const std::vector<manifest::Platform>& platforms) {
  return std::ranges::any_of(platforms, [&](const auto& platform) { return artifact.is_for(platform); });
}

}  // namespace

std::string registry_of(const LockedExtension& entry) {
  constexpr std::string_view prefix = "curupira:";
  return entry.source.starts_with(prefix) ? entry.source.substr(prefix.size()) : "";
}

bool is_python_file(const LockedExtension& entry, const LockedArtifact& artifact) {
  return !entry.python.empty() && !artifact.tree;
}

Result<Bundle> Bundle::open(const std::filesystem::path& file) {
  const auto read = [&]() -> Result<Bundle> {
    CURUPIRA_TRY(registry::OciArchive archive, registry::OciArchive::open(file));
    const auto& config = archive.manifest().config;
    if (config.media_type != bundle_config_media_type)
      return fail(ErrorCode::bundle_unreadable, "it holds " + printable(config.media_type));
    CURUPIRA_TRY(const std::string text, archive.read_text(config.digest, max_bundle_config_bytes));
    CURUPIRA_TRY(BundleContents contents, parse_bundle_contents(text));
    const BundleItem* const lock_item = contents.find(Kind::lock, "");
    if (lock_item == nullptr || !lock_item->carried)
      return fail(ErrorCode::bundle_blob_missing, std::string(lock_file_name));
    CURUPIRA_TRY(const std::string lock_text, archive.read_text(lock_item->blob, max_lock_bytes));
    CURUPIRA_TRY(LockFile lock, parse_lock(lock_text, std::filesystem::path(lock_file_name)));
    Bundle bundle(std::move(archive), std::move(contents), std::move(lock));
    CURUPIRA_CHECK(bundle.check_layers());
    CURUPIRA_CHECK(bundle.check_lock());
    return bundle;
  };
  auto bundle = read();
  if (!bundle) return fail(std::move(bundle).error().while_doing("reading " + printable(file.string())));
  return bundle;
}

/// Items and layers are the same blobs.
Result<> Bundle::check_layers() const {
  std::set<Digest> layers, carried;
  for (const auto& layer : archive_.manifest().layers)
    layers.insert(layer.digest);
  for (const auto& item : contents_.items) {
    if (!item.carried) continue;
    carried.insert(item.blob);
    if (!layers.contains(item.blob)) return fail(ErrorCode::bundle_blob_missing, shown(item));
    CURUPIRA_TRY(const std::uint64_t size, archive_.size(item.blob));
    if (size != item.size)
      return fail(ErrorCode::bundle_blob_changed, shown(item) + "\nexpected " + std::to_string(item.size) +
                                                      " bytes  found " + std::to_string(size));
  }
  for (const auto& layer : archive_.manifest().layers)
    if (!carried.contains(layer.digest))
      return fail(ErrorCode::bundle_blob_extra, registry::oci_digest(layer.digest));
  return {};
}

Result<> Bundle::check_lock() const {
  std::set<std::string> artifacts, trees, registries;
  for (const auto& platform : contents_.platforms)
    if (!lock_.has(platform))
      return fail(ErrorCode::bundle_unreadable,
                  "it is for " + platform.text() + ", and its lock file is not");
  for (const LockedExtension& entry : lock_.extensions) {
    registries.insert(registry_of(entry));
    for (const LockedArtifact& artifact : entry.artifacts) {
      artifacts.insert(artifact.digest.sri());
      if (is_python_file(entry, artifact) || !is_needed(artifact, contents_.platforms)) continue;
      if (contents_.find(Kind::artifact, artifact.digest.sri()) == nullptr)
        return fail(
            ErrorCode::bundle_blob_missing,
            printable(artifact.file) + " of " + printable(entry.name) + " (" + artifact.digest.sri() + ")");
    }
    if (!entry.tree && entry.source != "path") continue;
    if (!entry.tree || contents_.find(Kind::tree, *entry.tree) == nullptr)
      return fail(ErrorCode::bundle_blob_missing, "the folder of " + printable(entry.name));
    trees.insert(*entry.tree);
  }
  for (const BundleItem& item : contents_.items) {
    const bool known =
        item.kind == Kind::lock ||
        (is_of_registry(item.kind) ? registries.contains(item.key.substr(0, item.key.find('/')))
                                   : (item.kind == Kind::tree ? trees : artifacts).contains(item.key));
    if (!known)
      return fail(ErrorCode::bundle_blob_extra, shown(item) + ", which its lock file does not name");
  }
  return {};
}

Result<std::optional<KeptProof>> Bundle::proof(const Digest& artifact) const {
  const BundleItem* const item = contents_.find(Kind::proof, artifact.sri());
  if (item == nullptr || !item->carried) return std::optional<KeptProof>();
  CURUPIRA_TRY(const std::string text, archive_.read_text(item->blob, max_proof_bytes));
  auto proof = parse_proof(text, artifact);
  if (!proof) return fail(ErrorCode::bundle_unreadable, shown(*item) + " cannot be read");
  return proof;
}

}  // namespace curupira::installer
