#pragma once

#include <span>
#include <string>
#include <vector>

#include "installer/install_run.h"
#include "installer/installed_content.h"
#include "installer/installer.h"
#include "installer/published_manifest.h"
#include "installer/verified_artifact.h"
#include "manifest/receipt.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// What the preparation of one reference works with.
struct Preparation {
  const InstallerTools& tools;
  const InstallOptions& options;
  const InstallRun& run;
  Diagnostics& diagnostics;
};

/// An extension that is complete in the store, and not visible yet.
struct PreparedExtension {
  manifest::Manifest manifest;  ///< as published
  std::string manifest_text;    ///< what extensions/<name>/ gets
  manifest::Receipt receipt;
};

/// Steps 2–9 of design.md §2 for one reference.
Result<PreparedExtension> prepare_extension(const Preparation& preparation,
                                            const registry::Reference& reference);

/// Asks the source of the reference.
Result<registry::Resolution> resolve(const Preparation& preparation, const registry::Reference& reference);

/// Fetches, verifies, and keeps the artifacts in the store.
Result<std::vector<VerifiedArtifact>> fetch_verified(const Preparation& preparation,
                                                     std::span<const registry::Artifact> artifacts);

/// An npm closure. `given` is the manifest when something else than the package said it (a folder or archive
/// that points to the package); else the package's own file is read, or the package is probed.
Result<PreparedExtension> prepare_npm(const Preparation& preparation, const registry::Resolution& resolution,
                                      const PublishedManifest* given);

/// A Python closure; `given` as above.
Result<PreparedExtension> prepare_pip(const Preparation& preparation, const registry::Resolution& resolution,
                                      const PublishedManifest* given);

/// A folder or an unpacked archive, which is `tree` of the store: its manifest decides (spec/protocol.md §4).
/// `artifacts`: what was fetched so far.
Result<PreparedExtension> prepare_folder(const Preparation& preparation, const registry::Reference& reference,
                                         const std::string& tree,
                                         std::vector<manifest::ReceiptArtifact> artifacts);

/// The manifest and receipt of an extension whose parts are known.
PreparedExtension make_prepared(const registry::Reference& reference, std::string package,
                                PublishedManifest published, std::vector<manifest::ReceiptArtifact> artifacts,
                                InstalledContent content, manifest::ReceiptCommand command);

}  // namespace curupira::installer
