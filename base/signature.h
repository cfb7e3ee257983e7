#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace curupira {

/// Key, curve and hash together, as those who publish keys name them. A new one is a row of the table in
/// signature.cpp.
enum class SignatureScheme { ecdsa_p256_sha256 };

std::string_view name_of(SignatureScheme scheme);  ///< "ecdsa-sha2-nistp256"
/// Error: signature_invalid for one that is not known.
Result<SignatureScheme> parse_signature_scheme(std::string_view name);

/// A public key, checked to be one of its scheme.
class PublicKey {
 public:
  /// From a DER SubjectPublicKeyInfo and nothing after it. Error: signature_invalid.
  static Result<PublicKey> from_der(SignatureScheme scheme, std::span<const std::byte> der);

  SignatureScheme scheme() const;
  /// True when `signature` (ECDSA: DER) is one of this key over `message`.
  bool verifies(std::string_view message, std::span<const std::byte> signature) const;
  /// "SHA256:<base64 without padding>" of the key as OpenSSH writes it: what `ssh-keygen -l` prints, and how
  /// npm registries name their keys.
  std::string ssh_fingerprint() const;
  /// The same of the DER form.
  std::string der_fingerprint() const;

 private:
  struct State;
  explicit PublicKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace curupira
