#include "installer/proof_explanation.h"

#include "installer/proof_store.h"

namespace curupira::installer {
namespace {

/// As one word of sh.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

HandCheck digest_by_hand(const manifest::ReceiptArtifact& artifact, const std::filesystem::path& blob) {
  const std::string algorithm(name_of(artifact.digest.algorithm()));
  return {.what = "the digest of the bytes",
          .commands = {"openssl dgst -" + algorithm + " -binary " + quoted(blob.string()) +
                       " | openssl base64 -A"},
          .prints = base64_encode(artifact.digest.bytes())};
}

HandCheck signature_by_hand(const registry::RegistrySignature& signature) {
  return {.what = "the registry's signature",
          .commands = {"printf %s " + quoted(signature.text) + " > signed.txt",
                       "printf %s " + quoted(signature.signature) + " | openssl base64 -d -A > signature.der",
                       "printf %s " + quoted(signature.key) + " | openssl base64 -d -A > key.der",
                       "openssl pkey -pubin -inform DER -in key.der -out key.pem",
                       "openssl dgst -sha256 -verify key.pem -signature signature.der signed.txt"},
          .prints = "Verified OK"};
}

std::optional<Error> problem_of(const manifest::ReceiptArtifact& artifact,
                                const Result<RepeatedProof>& repeated) {
  if (artifact.level == manifest::VerificationLevel::digest) return std::nullopt;
  if (!repeated) return repeated.error();
  if (repeated->level >= artifact.level) return std::nullopt;
  return Error(ErrorCode::level_lowered,
               "its receipt says " + std::string(manifest::name_of(artifact.level)) +
                   ", what is kept proves " + std::string(manifest::name_of(repeated->level)));
}

}  // namespace

Result<std::vector<ProofExplanation>> explain_proofs(const Store& store, const manifest::Receipt& receipt) {
  std::vector<ProofExplanation> explanations;
  for (const auto& artifact : receipt.artifacts) {
    CURUPIRA_TRY(const bool there, store.has_blob(artifact.digest));
    ProofExplanation explanation{.artifact = artifact,
                                 .blob = store.blob(artifact.digest),
                                 .blob_there = there,
                                 .signatures = {},
                                 .by_hand = {}};
    explanation.by_hand.push_back(digest_by_hand(artifact, explanation.blob));
    const auto repeated = repeat_proof(store, artifact.digest);
    explanation.problem = problem_of(artifact, repeated);
    if (const auto proof = read_proof(store, artifact.digest); proof && *proof) {
      if (const auto* const word = std::get_if<registry::RegistryProof>(&(*proof)->by))
        explanation.word = *word;
      else
        explanation.signatures = std::get<std::vector<registry::RegistrySignature>>((*proof)->by);
      // One that does not hold may say anything: nothing of it becomes a command.
      if (repeated) {
        explanation.roles = repeated->roles;
        for (const auto& signature : explanation.signatures)
          explanation.by_hand.push_back(signature_by_hand(signature));
      }
    }
    explanations.push_back(std::move(explanation));
  }
  return explanations;
}

}  // namespace curupira::installer
