#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "installer/store.h"
#include "registry/registry_signature.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// What proved a blob of the store, kept beside it so that it can be shown and repeated without the registry
/// (design.md §4): proofs/<algo>-<hex>.json. Only where more than the digest vouched.
struct KeptProof {
  static constexpr int format = 1;
  std::string package;
  std::string version;
  Digest digest;
  /// npm's signatures, at least one; or the word of a curupira registry.
  std::variant<std::vector<registry::RegistrySignature>, registry::RegistryProof> by;
};

std::filesystem::path proof_file(const Store& store, const Digest& digest);
/// What is written there (StoreSession::keep_blob does it).
std::string proof_text(const KeptProof& proof);

/// As it is kept. `proof` has to be signed.
KeptProof kept_proof(const registry::Proof& proof, std::string package, std::string version,
                     const Digest& digest);

/// What `proof_text` wrote for this digest; nothing when it is anything else.
std::optional<KeptProof> parse_proof(std::string_view text, const Digest& digest);

/// The proof of a blob; nothing when only its digest vouched. Error: proof_damaged when it cannot be read.
Result<std::optional<KeptProof>> read_proof(const Store& store, const Digest& digest);

/// What a kept proof shows. The roles are a curupira registry's; none for npm's signatures.
struct RepeatedProof {
  manifest::VerificationLevel level = manifest::VerificationLevel::digest;
  std::vector<registry::VouchingRole> roles;
};

/// Checks the kept proof of a blob again; needs nothing but the store, and for a curupira registry the root
/// of it that is trusted now. It does not read the blob: that the blob has this digest is another question.
/// Errors: proof_damaged when there is none or it cannot be read, signature_invalid, tuf_trust_missing, those
/// of registry::check_registry_proof.
Result<RepeatedProof> repeat_proof(const Store& store, const Digest& digest);

/// What vouches for `proof.digest`, to be verified with the bytes. Error: tuf_trust_missing.
Result<registry::Proof> proof_of(const Store& store, const KeptProof& proof);

/// The proof is of this artifact: of its package and version; of a registry's file, of a file of its package,
/// since several versions may have the same.
bool is_of(const KeptProof& proof, const std::string& package, const std::string& version);

/// The artifact's proof; where only its digest vouches and the store has kept a proof of the same package,
/// version and digest that holds, with that. So what was proved once stays proved without a network.
registry::Proof with_kept_proof(const Store& store, const registry::Artifact& artifact);

}  // namespace curupira::installer
