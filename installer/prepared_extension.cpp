#include "installer/prepared_extension.h"

#include "base/printable.h"
#include "installer/fetch.h"
#include "installer/folder_snapshot.h"
#include "installer/package_trees.h"
#include "installer/policy.h"
#include "installer/proof_store.h"

namespace curupira::installer {
namespace {

std::vector<manifest::ReceiptArtifact> receipts_of(std::span<const VerifiedArtifact> artifacts) {
  std::vector<manifest::ReceiptArtifact> receipts;
  for (const auto& artifact : artifacts)
    receipts.push_back(artifact.receipt());
  return receipts;
}

/// The folder of the extension in the archive: the root, or the one folder that everything is in.
Result<int> leading_folders(const Preparation& preparation, const std::string& tree,
                            const std::string& file_name) {
  CURUPIRA_TRY(const TreeListing listing, preparation.run.store.listing(tree));
  const std::string manifest_file(manifest::manifest_file_name);
  if (listing.has_file(manifest_file)) return 0;
  if (!listing.entries().empty()) {
    const std::string& first = listing.entries().front().path.text();
    const std::string top = first.substr(0, first.find('/'));
    bool only = true;
    for (const auto& entry : listing.entries())
      only = only && (entry.path.text() == top || entry.path.text().starts_with(top + "/"));
    if (only && listing.has_file(top + "/" + manifest_file)) return 1;
  }
  return fail(ErrorCode::manifest_missing, printable(file_name) + " has no " + manifest_file +
                                               " at its root, nor in its only top-level folder");
}

Result<PreparedExtension> prepare_archive(const Preparation& preparation,
                                          const registry::Resolution& resolution,
                                          const registry::ArchiveContent& content) {
  CURUPIRA_TRY(const auto artifacts, fetch_verified(preparation, resolution.artifacts));
  const VerifiedArtifact& archive = artifacts[content.artifact];
  CURUPIRA_TRY(const std::string tree, tree_of_extension(preparation, archive));
  LockedArtifact locked = locked_artifact(archive, preparation.tools.platform);
  locked.tree = tree;
  locked.platforms.clear();  // the same for all
  if (const auto* const url = std::get_if<Url>(&archive.artifact().location)) locked.file = url->to_string();
  return prepare_folder(
      preparation, tree,
      {.reference = resolution.reference, .artifacts = receipts_of(artifacts), .locked = {locked}});
}

Result<PreparedExtension> prepare_resolution(const Preparation& preparation,
                                             const registry::Resolution& resolution) {
  if (std::holds_alternative<registry::NodeClosure>(resolution.content))
    return prepare_npm(preparation, resolution, nullptr);
  if (std::holds_alternative<registry::PythonClosure>(resolution.content))
    return prepare_pip(preparation, resolution, nullptr);
  if (const auto* const archive = std::get_if<registry::ArchiveContent>(&resolution.content))
    return prepare_archive(preparation, resolution, *archive);
  if (std::holds_alternative<registry::ReleaseContent>(resolution.content))
    return prepare_release(preparation, resolution);
  const auto& folder = std::get<registry::LocalFolder>(resolution.content).folder;
  CURUPIRA_TRY(const std::string tree, snapshot_folder(preparation.run, folder));
  CURUPIRA_TRY(PreparedExtension prepared,
               prepare_folder(preparation, tree, {.reference = resolution.reference}));
  prepared.locked.tree = tree;
  return prepared;
}

}  // namespace

Result<std::string> tree_of_extension(const Preparation& preparation, const VerifiedArtifact& archive) {
  CURUPIRA_TRY(std::string tree, tree_of_archive(preparation.run, archive, 0, std::nullopt));
  CURUPIRA_TRY(const int leading, leading_folders(preparation, tree, archive.artifact().file_name));
  if (leading == 0) return tree;
  return tree_of_archive(preparation.run, archive, leading, std::nullopt);
}

Result<registry::Resolution> resolve(const Preparation& preparation, const registry::Reference& reference,
                                     const manifest::Platform& platform) {
  // Also what a folder's manifest points to, before anybody is asked for it.
  if (preparation.options.policy != nullptr)
    CURUPIRA_CHECK(check_references(*preparation.options.policy, std::span(&reference, 1),
                                    preparation.tools.current_folder));
  const bool elsewhere = platform != preparation.tools.platform;
  preparation.run.observer.resolving(registry::to_string(reference) +
                                     (elsewhere ? " for " + platform.text() : ""));
  return preparation.resolver.resolve(reference, platform);
}

std::vector<manifest::ReceiptArtifact> receipts_from_registry(std::span<const VerifiedArtifact> artifacts) {
  auto receipts = receipts_of(artifacts);
  for (std::size_t i = 0; i < receipts.size(); ++i)
    receipts[i].location = artifacts[i].artifact().file_name;
  return receipts;
}

LockedArtifact locked_artifact(const VerifiedArtifact& artifact, const manifest::Platform& platform) {
  manifest::ReceiptArtifact receipt = artifact.receipt();
  return {.package = std::move(receipt.package),
          .version = std::move(receipt.version),
          .file = artifact.artifact().file_name,
          .size = receipt.size,
          .digest = receipt.digest,
          .platforms = {platform},
          .level = receipt.level};
}

Result<std::vector<VerifiedArtifact>> fetch_verified(const Preparation& preparation,
                                                     std::span<const registry::Artifact> artifacts) {
  const InstallRun& run = preparation.run;
  const manifest::Policy* const policy = preparation.options.policy;
  if (policy != nullptr) CURUPIRA_CHECK(check_promised_size(*policy, artifacts));
  CURUPIRA_TRY(const auto folder, run.new_folder("fetch-"));
  auto outcome = fetch({.http = preparation.tools.http,
                        .files = run.files,
                        .store = run.store,
                        .staging = folder,
                        .observer = run.observer,
                        .limits = policy ? limits_under(*policy, run.fetch_limits) : run.fetch_limits},
                       artifacts);
  if (!outcome && policy != nullptr)
    return fail(explain_limit(*policy, run.fetch_limits, std::move(outcome).error()));
  CURUPIRA_TRY(auto fetched, std::move(outcome));
  std::vector<VerifiedArtifact> result;
  result.reserve(fetched.size());
  for (std::size_t i = 0; i < fetched.size(); ++i) {
    const registry::Proof proof = with_kept_proof(run.store, artifacts[i]);
    CURUPIRA_TRY(VerifiedArtifact verified, verify(std::move(fetched[i]), proof));
    result.push_back(std::move(verified));
  }
  for (auto& artifact : result) {  // only when all are what they should be
    CURUPIRA_TRY(artifact, run.session.keep_blob(std::move(artifact)));
  }
  return result;
}

PreparedExtension make_prepared(const registry::Reference& reference, std::string package,
                                PublishedManifest published, std::vector<manifest::ReceiptArtifact> artifacts,
                                InstalledContent content, manifest::ReceiptCommand command,
                                std::vector<LockedArtifact> locked) {
  manifest::Receipt receipt{.name = published.manifest.name,
                            .version = published.manifest.version,
                            .reference = registry::to_string(reference),
                            .source = registry::source_name(reference),
                            .package = std::move(package),
                            .launch_type = std::string(manifest::launch_type(published.manifest.launch)),
                            .artifacts = std::move(artifacts),
                            .content = content.content,
                            .command = std::move(command),
                            .trees = std::move(content.trees),
                            .probed = published.probed,
                            .sandbox = published.sandbox};
  LockedExtension entry{.name = receipt.name,
                        .version = receipt.version,
                        .reference = receipt.reference,
                        .source = receipt.source,
                        .package = receipt.package,
                        .launch = receipt.launch_type,
                        .manifest = digest_of(DigestAlgorithm::sha256, published.text),
                        .permissions = published.manifest.permissions,
                        .artifacts = std::move(locked)};
  return {.manifest = std::move(published.manifest),
          .manifest_text = std::move(published.text),
          .receipt = std::move(receipt),
          .locked = std::move(entry)};
}

Result<PreparedExtension> prepare_extension(const Preparation& preparation,
                                            const registry::Reference& reference) {
  CURUPIRA_TRY(const registry::Resolution resolution,
               resolve(preparation, reference, preparation.tools.platform));
  return prepare_resolution(preparation, resolution);
}

}  // namespace curupira::installer
