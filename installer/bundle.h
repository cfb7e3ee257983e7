#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "installer/bundle_contents.h"
#include "installer/lock_file.h"
#include "installer/proof_store.h"
#include "registry/oci_archive.h"

namespace curupira::installer {

/// A bundle that was read whole: every blob is what it is named after, none is missing, and there is nothing
/// else in it. That says that it is in one piece, not who made it: that is what its digest is for.
class Bundle {
 public:
  /// Errors: those of OciArchive::open, parse_bundle_contents and parse_lock; bundle_blob_missing for what
  /// the lock file needs on one of the bundle's platforms and the bundle does not name; bundle_blob_extra for
  /// what the lock file does not name.
  static Result<Bundle> open(const std::filesystem::path& file);

  const Digest& digest() const { return archive_.descriptor().digest; }  ///< of its manifest
  const BundleContents& contents() const { return contents_; }
  const LockFile& lock() const { return lock_; }
  const registry::OciArchive& archive() const { return archive_; }
  /// What vouched for an artifact; nothing where only its digest did. Error: bundle_unreadable.
  Result<std::optional<KeptProof>> proof(const Digest& artifact) const;

 private:
  Bundle(registry::OciArchive archive, BundleContents contents, LockFile lock)
      : archive_(std::move(archive)), contents_(std::move(contents)), lock_(std::move(lock)) {}
  Result<> check_layers() const;
  Result<> check_lock() const;

  registry::OciArchive archive_;
  BundleContents contents_;
  LockFile lock_;
};

/// The name of the curupira registry that an entry's release is from; empty when it is from another source.
std::string registry_of(const LockedExtension& entry);

/// The file is one of the wheels and source distributions of a Python closure, of which each machine needs
/// some.
bool is_python_file(const LockedExtension& entry, const LockedArtifact& artifact);

}  // namespace curupira::installer
