#include "installer/verified_artifact.h"

#include <algorithm>
#include <string>

#include "base/printable.h"

namespace curupira::installer {
using manifest::VerificationLevel;

Result<VerificationLevel> level_of_proof(const registry::Proof& proof, const std::string& package,
                                         const std::string& version, const Digest& digest) {
  for (const auto& signature : proof.signatures)
    CURUPIRA_CHECK(registry::check_signature(signature, package, version, digest));
  if (!proof.vouched)
    return proof.signatures.empty() ? VerificationLevel::digest : VerificationLevel::registry_signed;
  CURUPIRA_TRY(const auto word,
               registry::check_registry_proof(proof.vouched->proof, proof.vouched->trusted, digest));
  return word.level;
}

manifest::ReceiptArtifact VerifiedArtifact::receipt() const {
  return {.package = artifact().package,
          .version = artifact().version,
          .location = std::holds_alternative<registry::RegistryFile>(artifact().location)
                          ? artifact().file_name
                          : registry::location_text(artifact()),
          .digest = digest_,
          .size = fetched_.size,
          .level = level_};
}

Result<VerifiedArtifact> verify(FetchedArtifact&& fetched, const registry::Proof& proof) {
  const std::string what = printable(fetched.artifact.file_name) + " from " +
                           printable(registry::location_text(fetched.artifact)) + ", " +
                           format_bytes(fetched.size) + " read";
  if (proof.any_of.empty()) return fail(ErrorCode::integrity_missing, what);
  if (proof.size && *proof.size != fetched.size)
    return fail(ErrorCode::size_mismatch, what + "\nexpected " + std::to_string(*proof.size) +
                                              " bytes  found " + std::to_string(fetched.size));
  std::string expected, found;
  for (const Digest& promised : proof.any_of) {
    if (!promised.strong()) continue;
    expected += (expected.empty() ? "" : " or ") + promised.sri();
    const auto same_algorithm =
        std::find_if(fetched.digests.begin(), fetched.digests.end(),
                     [&](const Digest& digest) { return digest.algorithm() == promised.algorithm(); });
    if (same_algorithm == fetched.digests.end()) continue;
    if (*same_algorithm == promised) {
      CURUPIRA_TRY(const auto level,
                   level_of_proof(proof, fetched.artifact.package, fetched.artifact.version, promised));
      return VerifiedArtifact(std::move(fetched), promised, level, proof);
    }
    if (found.find(same_algorithm->sri()) == std::string::npos)
      found += (found.empty() ? "" : " and ") + same_algorithm->sri();
  }
  if (expected.empty()) return fail(ErrorCode::integrity_weak, what);
  return fail(ErrorCode::digest_mismatch, what + "\nexpected " + expected + "  found " + found);
}

}  // namespace curupira::installer
