#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "installer/store.h"
#include "manifest/receipt.h"
#include "registry/registry_proof.h"
#include "registry/registry_signature.h"

namespace curupira::installer {

/// Command lines that check something by hand, with openssl, in an empty folder.
struct HandCheck {
  std::string what;                   ///< "the digest of the bytes"
  std::vector<std::string> commands;  ///< for sh, in this order
  std::string prints;                 ///< what the last one prints when all is well
};

/// What proved one artifact of an installed extension.
struct ProofExplanation {
  manifest::ReceiptArtifact artifact;
  std::filesystem::path blob;
  bool blob_there = false;
  std::vector<registry::RegistrySignature> signatures;  ///< npm's
  /// The word of a curupira registry, as it is kept; without it and signatures only the digest vouches.
  std::optional<registry::RegistryProof> word = {};
  std::vector<registry::VouchingRole> roles = {};  ///< that signed it; none when it does not hold
  std::vector<HandCheck> by_hand;
  std::optional<Error> problem = {};  ///< the level says more than the kept proof shows
};

/// The proof of each artifact, repeated on the way, and how to check it without this program
/// (npm/documentation#1237).
Result<std::vector<ProofExplanation>> explain_proofs(const Store& store, const manifest::Receipt& receipt);

}  // namespace curupira::installer
