#include "installer/prepared_extension.h"

#include "base/printable.h"
#include "installer/fetch.h"
#include "installer/folder_snapshot.h"
#include "installer/package_trees.h"
#include "installer/proof_store.h"
#include "registry/sources.h"

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
  CURUPIRA_TRY(std::string tree, tree_of_archive(preparation.run, archive, 0, std::nullopt));
  CURUPIRA_TRY(const int leading, leading_folders(preparation, tree, archive.artifact().file_name));
  if (leading > 0) {
    CURUPIRA_TRY(tree, tree_of_archive(preparation.run, archive, leading, std::nullopt));
  }
  return prepare_folder(preparation, resolution.reference, tree, receipts_of(artifacts));
}

Result<PreparedExtension> prepare_resolution(const Preparation& preparation,
                                             const registry::Resolution& resolution) {
  if (std::holds_alternative<registry::NodeClosure>(resolution.content))
    return prepare_npm(preparation, resolution, nullptr);
  if (std::holds_alternative<registry::PythonClosure>(resolution.content))
    return prepare_pip(preparation, resolution, nullptr);
  if (const auto* const archive = std::get_if<registry::ArchiveContent>(&resolution.content))
    return prepare_archive(preparation, resolution, *archive);
  const auto& folder = std::get<registry::LocalFolder>(resolution.content).folder;
  CURUPIRA_TRY(const std::string tree, snapshot_folder(preparation.run, folder));
  return prepare_folder(preparation, resolution.reference, tree, {});
}

}  // namespace

Result<registry::Resolution> resolve(const Preparation& preparation, const registry::Reference& reference) {
  preparation.run.observer.resolving(registry::to_string(reference));
  return registry::source_for(preparation.tools.sources, reference)
      .resolve(reference, preparation.tools.platform, preparation.diagnostics);
}

Result<std::vector<VerifiedArtifact>> fetch_verified(const Preparation& preparation,
                                                     std::span<const registry::Artifact> artifacts) {
  const InstallRun& run = preparation.run;
  CURUPIRA_TRY(const auto folder, run.new_folder("fetch-"));
  CURUPIRA_TRY(auto fetched, fetch({.http = preparation.tools.http,
                                    .files = run.files,
                                    .store = run.store,
                                    .staging = folder,
                                    .observer = run.observer,
                                    .limits = run.fetch_limits},
                                   artifacts));
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
                                InstalledContent content, manifest::ReceiptCommand command) {
  manifest::Receipt receipt{.name = published.manifest.name,
                            .version = published.manifest.version,
                            .reference = registry::to_string(reference),
                            .source = std::string(registry::source_name(reference)),
                            .package = std::move(package),
                            .launch_type = std::string(manifest::launch_type(published.manifest.launch)),
                            .artifacts = std::move(artifacts),
                            .content = content.content,
                            .command = std::move(command),
                            .trees = std::move(content.trees),
                            .probed = published.probed,
                            .sandbox = published.sandbox};
  return {.manifest = std::move(published.manifest),
          .manifest_text = std::move(published.text),
          .receipt = std::move(receipt)};
}

Result<PreparedExtension> prepare_extension(const Preparation& preparation,
                                            const registry::Reference& reference) {
  const auto prepare = [&]() -> Result<PreparedExtension> {
    CURUPIRA_TRY(const registry::Resolution resolution, resolve(preparation, reference));
    return prepare_resolution(preparation, resolution);
  };
  auto prepared = prepare();
  if (!prepared)
    return fail(
        std::move(prepared).error().while_doing("installing " + printable(registry::to_string(reference))));
  return prepared;
}

}  // namespace curupira::installer
