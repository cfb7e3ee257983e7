#include <span>

#include "base/printable.h"
#include "installer/agreement.h"
#include "installer/prepared_extension.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

/// Byte for byte what the registry shows to people.
Result<> check_shown_manifest(const Preparation& preparation, const registry::Resolution& resolution,
                              const std::string& tree) {
  const auto& shown = std::get<registry::ReleaseContent>(resolution.content).manifest;
  if (!shown) return {};
  const auto file = preparation.run.store.tree(tree) / manifest::manifest_file_name;
  CURUPIRA_TRY(const std::string text, preparation.run.files.read_file(file, manifest::max_manifest_bytes));
  const Digest found = digest_of(DigestAlgorithm::sha256, text);
  if (found == *shown) return {};
  return fail(ErrorCode::release_differs, printable(registry::to_string(resolution.reference)) + " " +
                                              printable(resolution.version) + ": the manifest in " +
                                              printable(resolution.artifacts.front().file_name) +
                                              " is not the one that the registry shows\nexpected " +
                                              shown->sri() + "  found " + found.sri());
}

}  // namespace

// Only the archive is fetched here: which of the other files is needed, its manifest says.
Result<PreparedExtension> prepare_release(const Preparation& preparation,
                                          const registry::Resolution& resolution) {
  CURUPIRA_TRY(const auto artifacts, fetch_verified(preparation, std::span(resolution.artifacts).first(1)));
  const VerifiedArtifact& archive = artifacts.front();
  CURUPIRA_TRY(const std::string tree, tree_of_extension(preparation, archive));
  CURUPIRA_CHECK(check_shown_manifest(preparation, resolution, tree));
  LockedArtifact locked = locked_artifact(archive, preparation.tools.platform);
  locked.tree = tree;
  locked.platforms.clear();  // the same for all
  CURUPIRA_TRY(PreparedExtension prepared, prepare_folder(preparation, tree,
                                                          {.reference = resolution.reference,
                                                           .release = &resolution,
                                                           .artifacts = receipts_from_registry(artifacts),
                                                           .locked = {locked}}));
  CURUPIRA_CHECK(check_release_agreement(prepared.manifest, resolution.package, resolution.version));
  return prepared;
}

}  // namespace curupira::installer
