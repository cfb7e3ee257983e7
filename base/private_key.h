#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/signature.h"

namespace curupira {

/// An ed25519 key that signs. Like `Secret`, it has no output operator.
class PrivateKey {
 public:
  static Result<PrivateKey> generate();
  /// One PEM block of PKCS#8; `passphrase` is used when it is encrypted. Error: signing_key_unreadable.
  static Result<PrivateKey> from_pem(std::string_view pem, const Secret& passphrase);

  /// PKCS#8 in PEM: encrypted (PBES2: PBKDF2 with SHA-256, AES-256) unless the passphrase is empty.
  Result<std::string> to_pem(const Secret& passphrase) const;
  Result<std::vector<std::byte>> sign(std::string_view message) const;
  PublicKey public_key() const;

 private:
  struct State;
  explicit PrivateKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace curupira
