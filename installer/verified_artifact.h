#pragma once

#include <filesystem>

#include "base/digest.h"
#include "installer/fetch.h"
#include "manifest/receipt.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// An artifact that is what was promised. Nothing but `verify` makes one, and only such a one can be unpacked
/// (design.md §2, step 5).
class VerifiedArtifact {
 public:
  const registry::Artifact& artifact() const { return fetched_.artifact; }
  const std::filesystem::path& file() const { return fetched_.file; }
  std::uint64_t size() const { return fetched_.size; }
  const Digest& digest() const { return digest_; }  ///< the one of the proof that fitted
  bool in_store() const { return fetched_.in_store; }
  manifest::ReceiptArtifact receipt() const;

 private:
  friend Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof);
  friend class StoreSession;  // moves the file
  VerifiedArtifact(FetchedArtifact fetched, Digest digest) : fetched_(std::move(fetched)), digest_(digest) {}

  FetchedArtifact fetched_;
  Digest digest_;
};

/// Errors: integrity_missing, integrity_weak, size_mismatch, digest_mismatch; they show what was expected and
/// found.
Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof);

}  // namespace curupira::installer
