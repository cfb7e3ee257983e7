#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace curupira {

/// Key, curve, padding and hash together, as those who publish keys name them. A new one is a row of the
/// table in signature.cpp.
enum class SignatureScheme { ecdsa_p256_sha256, ed25519, rsa_pss_sha256, rsa_pkcs1_sha256 };

std::string_view name_of(SignatureScheme scheme);  ///< "ecdsa-sha2-nistp256"
/// Error: signature_invalid for one that is not known.
Result<SignatureScheme> parse_signature_scheme(std::string_view name);

/// A public key, checked to be one of its scheme; RSA keys have 2048 to 8192 bits.
class PublicKey {
 public:
  /// From a DER SubjectPublicKeyInfo and nothing after it. Error: signature_invalid.
  static Result<PublicKey> from_der(SignatureScheme scheme, std::span<const std::byte> der);
  /// From a PEM block "PUBLIC KEY". Error: signature_invalid.
  static Result<PublicKey> from_pem(SignatureScheme scheme, std::string_view pem);
  /// From the 32 bytes of an ed25519 key. Error: signature_invalid.
  static Result<PublicKey> from_ed25519(std::span<const std::byte> bytes);

  SignatureScheme scheme() const;
  /// True when `signature` (ECDSA: DER) is one of this key over `message`.
  bool verifies(std::string_view message, std::span<const std::byte> signature) const;
  /// The DER form, the same for every text that the key was written as: two keys are one when these are.
  std::span<const std::byte> der() const;
  /// The 32 bytes of an ed25519 key; empty for others.
  std::vector<std::byte> ed25519_bytes() const;
  /// "SHA256:<base64 without padding>" of an ECDSA key as OpenSSH writes it: what `ssh-keygen -l` prints, and
  /// how npm registries name their keys. Empty for others.
  std::string ssh_fingerprint() const;
  /// The same of the DER form.
  std::string der_fingerprint() const;

 private:
  struct State;
  explicit PublicKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace curupira
