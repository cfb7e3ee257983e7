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
  /// registry_signed only when every signature below was checked against `digest()`.
  manifest::VerificationLevel level() const { return level_; }
  std::span<const registry::RegistrySignature> signatures() const { return signatures_; }
  manifest::ReceiptArtifact receipt() const;

 private:
  friend Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof);
  friend class StoreSession;  // moves the file
  VerifiedArtifact(FetchedArtifact fetched, Digest digest,
                   std::vector<registry::RegistrySignature> signatures)
      : fetched_(std::move(fetched)),
        digest_(digest),
        signatures_(std::move(signatures)),
        level_(signatures_.empty() ? manifest::VerificationLevel::digest
                                   : manifest::VerificationLevel::registry_signed) {}

  FetchedArtifact fetched_;
  Digest digest_;
  std::vector<registry::RegistrySignature> signatures_;
  manifest::VerificationLevel level_;
};

/// Errors: integrity_missing, integrity_weak, size_mismatch, digest_mismatch, which show what was expected
/// and found; signature_invalid when one signature of the proof does not hold for the digest of the bytes.
Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof);

}  // namespace curupira::installer
