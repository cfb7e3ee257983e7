#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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
  std::vector<registry::RegistrySignature> signatures;  ///< at least one
};

std::filesystem::path proof_file(const Store& store, const Digest& digest);
/// What is written there (StoreSession::keep_blob does it).
std::string proof_text(const KeptProof& proof);

/// What `proof_text` wrote for this digest; nothing when it is anything else.
std::optional<KeptProof> parse_proof(std::string_view text, const Digest& digest);

/// The proof of a blob; nothing when only its digest vouched. Error: proof_damaged when it cannot be read.
Result<std::optional<KeptProof>> read_proof(const Store& store, const Digest& digest);

/// Checks the kept proof of a blob again; needs nothing but the store. It does not read the blob: that the
/// blob has this digest is another question. Errors: proof_damaged when there is none or it cannot be read,
/// signature_invalid.
Result<> repeat_proof(const Store& store, const Digest& digest);

/// The artifact's proof; where it has no signatures and the store has kept some for the same package, version
/// and digest, with those. So what was proved once stays proved without a network.
registry::Proof with_kept_proof(const Store& store, const registry::Artifact& artifact);

}  // namespace curupira::installer
