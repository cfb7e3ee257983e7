#include "installer/lock_step.h"

#include <algorithm>
#include <set>
#include <string>

#include "installer/limits.h"
#include "installer/node_modules.h"
#include "manifest/manifest.h"
#include "manifest/receipt.h"

namespace curupira::installer {
namespace {

using manifest::ReceiptArtifact;

bool is_same(const LockedArtifact& locked, const ReceiptArtifact& installed) {
  return locked.package == installed.package && locked.version == installed.version &&
         locked.digest == installed.digest && (!locked.size || *locked.size == installed.size) &&
         installed.level >= locked.level;
}

/// npm: exactly those of the platform, at their places. pip: all that are installed are locked.
bool same_artifacts(const LockedExtension& entry, const manifest::Receipt& receipt,
                    const manifest::Platform& platform) {
  std::size_t expected = 0;
  for (const auto& locked : entry.artifacts) {
    if (!locked.is_for(platform)) continue;
    ++expected;
    if (entry.launch != "npx") continue;
    const auto there = [&](const ReceiptArtifact& installed) { return is_same(locked, installed); };
    if (std::ranges::none_of(receipt.artifacts, there)) return false;
  }
  for (const auto& installed : receipt.artifacts) {
    const auto there = [&](const LockedArtifact& locked) { return is_same(locked, installed); };
    if (std::ranges::none_of(entry.artifacts, there)) return false;
  }
  return entry.launch == "npx" ? expected == receipt.artifacts.size() : !receipt.artifacts.empty();
}

bool same_places(const LockedExtension& entry, const manifest::Receipt& receipt,
                 const manifest::Platform& platform) {
  if (receipt.content.kind != manifest::ReceiptContent::Kind::node_modules) return entry.launch != "npx";
  std::vector<PlacedTree> placed;
  for (const auto& locked : entry.artifacts) {
    if (!locked.is_for(platform) || !locked.tree) continue;
    for (const auto& location : locked.locations)
      placed.push_back({location, *locked.tree});
  }
  return node_environment_digest(placed) == receipt.content.digest;
}

Result<bool> is_complete(const Store& store, const manifest::Receipt& receipt) {
  for (const auto& tree : receipt.trees) {
    CURUPIRA_TRY(const bool there, store.has_tree(tree));
    if (!there) return false;
  }
  for (const auto& artifact : receipt.artifacts) {
    CURUPIRA_TRY(const bool there, store.has_blob(artifact.digest));
    if (!there) return false;
  }
  return store.has_environment(receipt.content.digest);
}

}  // namespace

Result<bool> is_in_step(const Store& store, const LockedExtension& entry,
                        const manifest::Platform& platform) {
  const bool npm = entry.source.starts_with("npm");
  if (!npm && entry.source != "pip") return false;
  const auto folder = store.home().extensions() / entry.name;
  const auto text = store.files().read_file(folder / manifest::receipt_file_name, max_receipt_bytes);
  const auto published =
      store.files().read_file(folder / manifest::manifest_file_name, manifest::max_manifest_bytes);
  const auto receipt = text ? manifest::parse_receipt(*text) : Result<manifest::Receipt>(fail(text.error()));
  if (!receipt || !published) return false;
  if (receipt->name != entry.name || receipt->version != entry.version ||
      receipt->reference != entry.reference || receipt->source != (npm ? "npm" : "pip") ||
      receipt->package != entry.package || receipt->launch_type != entry.launch ||
      digest_of(DigestAlgorithm::sha256, *published) != entry.manifest)
    return false;
  CollectedDiagnostics ignored;
  const auto manifest = manifest::parse_manifest(*published, folder, ignored);
  if (!manifest || manifest->permissions != entry.permissions) return false;
  if (!same_artifacts(entry, *receipt, platform) || !same_places(entry, *receipt, platform)) return false;
  return is_complete(store, *receipt);
}

}  // namespace curupira::installer
