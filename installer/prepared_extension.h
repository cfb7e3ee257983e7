#pragma once

#include <span>
#include <string>
#include <vector>

#include "installer/install_run.h"
#include "installer/installed_content.h"
#include "installer/installer.h"
#include "installer/lock_file.h"
#include "installer/published_manifest.h"
#include "installer/verified_artifact.h"
#include "manifest/receipt.h"
#include "registry/python_lock.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Says what a reference means: a registry, when something new is installed, or the lock file.
class Resolver {
 public:
  virtual ~Resolver() = default;
  /// Errors: those of registry::Source; lock_mismatch for a package that the lock file does not have.
  virtual Result<registry::Resolution> resolve(const registry::Reference& reference,
                                               const manifest::Platform& platform) = 0;
  /// The closure of a pip package that was resolved, for all platforms; nothing when it is not known.
  virtual const registry::PythonLock* python_lock(const std::string&) const { return nullptr; }
};

/// What the preparation of one reference works with.
struct Preparation {
  const InstallerTools& tools;
  const InstallOptions& options;
  const InstallRun& run;
  Diagnostics& diagnostics;
  Resolver& resolver;
  /// Platforms beside the tools' one that the lock entry has to describe.
  std::vector<manifest::Platform> other_platforms = {};
  /// Publishing: all platforms of the launch table, whether or not the tools' one is among them.
  bool all_platforms = false;
  /// npm: the closure was not made by npm just now, so it is checked that it lacks nothing.
  bool recheck_closure = false;
};

/// An extension that is complete in the store, and not visible yet.
struct PreparedExtension {
  manifest::Manifest manifest;  ///< as published
  std::string manifest_text;    ///< what extensions/<name>/ gets
  manifest::Receipt receipt;
  LockedExtension locked;  ///< what the lock file says of it; artifacts name the platforms that need them
};

/// Steps 2–9 of design.md §2 for one reference.
Result<PreparedExtension> prepare_extension(const Preparation& preparation,
                                            const registry::Reference& reference);

/// Asks the resolver.
Result<registry::Resolution> resolve(const Preparation& preparation, const registry::Reference& reference,
                                     const manifest::Platform& platform);

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

/// What a folder came from, and with what.
struct FolderOrigin {
  const registry::Reference& reference;
  /// A release of a registry: the files that its launch table names by an address come from there, and it is
  /// called what the registry calls it. Null for what no registry vouches for.
  const registry::Resolution* release = nullptr;
  std::vector<manifest::ReceiptArtifact> artifacts = {};  ///< what was fetched so far
  std::vector<LockedArtifact> locked = {};
};

/// A folder or an unpacked archive, which is `tree` of the store: its manifest decides (spec/protocol.md §4).
Result<PreparedExtension> prepare_folder(const Preparation& preparation, const std::string& tree,
                                         FolderOrigin origin);

/// A release of a curupira registry. Errors: release_differs, manifest_mismatch.
Result<PreparedExtension> prepare_release(const Preparation& preparation,
                                          const registry::Resolution& resolution);

/// The tree of an archive with an extension in it, whose root is the extension's folder: its own, or the one
/// folder that everything is in. Error: manifest_missing.
Result<std::string> tree_of_extension(const Preparation& preparation, const VerifiedArtifact& archive);

/// What receipts have of artifacts from a registry: the file's name there. The address is the machine's
/// matter, with its mirrors and proxies, and what the store had already has none: homes with one lock file
/// have the same receipts.
std::vector<manifest::ReceiptArtifact> receipts_from_registry(std::span<const VerifiedArtifact> artifacts);

/// A verified artifact for the lock file, under its file name.
LockedArtifact locked_artifact(const VerifiedArtifact& artifact, const manifest::Platform& platform);

/// The manifest, receipt and lock entry of an extension whose parts are known.
PreparedExtension make_prepared(const registry::Reference& reference, std::string package,
                                PublishedManifest published, std::vector<manifest::ReceiptArtifact> artifacts,
                                InstalledContent content, manifest::ReceiptCommand command,
                                std::vector<LockedArtifact> locked);

}  // namespace curupira::installer
