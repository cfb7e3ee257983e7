#pragma once

#include <filesystem>
#include <span>
#include <vector>

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
  /// More than digest only when all that `proof()` has was checked against `digest()`.
  manifest::VerificationLevel level() const { return level_; }
  const registry::Proof& proof() const { return proof_; }
  manifest::ReceiptArtifact receipt() const;

 private:
  friend Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof);
  friend class StoreSession;  // moves the file
  VerifiedArtifact(FetchedArtifact fetched, Digest digest, manifest::VerificationLevel level,
                   registry::Proof proof)
      : fetched_(std::move(fetched)), digest_(digest), level_(level), proof_(std::move(proof)) {}

  FetchedArtifact fetched_;
  Digest digest_;
  manifest::VerificationLevel level_;
  registry::Proof proof_;
};

/// Who vouches for the digest, when all that the proof has holds for it. Errors: signature_invalid, those of
/// registry::check_registry_proof.
Result<manifest::VerificationLevel> level_of_proof(const registry::Proof& proof, const std::string& package,
                                                   const std::string& version, const Digest& digest);

/// Errors: integrity_missing, integrity_weak, size_mismatch, digest_mismatch, which show what was expected
/// and found; signature_invalid when one signature of the proof does not hold for the digest of the bytes;
/// those of registry::check_registry_proof.
Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof);

}  // namespace curupira::installer
