#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/signature.h"

namespace curupira::tuf {

/// A public key as metadata has it (TUF 1.0.34 §4.2): keytype, scheme, keyval. Kept as it was written, since
/// its id is the digest of that.
class Key {
 public:
  /// Error: tuf_field for what is not of the form of a key; tuf_key_id when `id` is not the key's own. A
  /// scheme that is not known is no error: the key vouches for nothing.
  static Result<Key> parse(std::string id, const json::Value& value);
  /// How a repository writes a key of its own.
  static Result<Key> from_ed25519(const PublicKey& key);

  const std::string& id() const { return id_; }  ///< hexadecimal sha256 of the canonical form
  const json::Object& content() const { return content_; }
  /// The key that checks signatures. Known are ed25519, ecdsa-sha2-nistp256 (keytype "ecdsa" or the scheme's
  /// own name), rsassa-pss-sha256 and rsa-pkcs1v15-sha256. Error: signature_invalid with the reason.
  Result<PublicKey> public_key() const;

  bool operator==(const Key&) const = default;

 private:
  Key(std::string id, json::Object content) : id_(std::move(id)), content_(std::move(content)) {}
  std::string id_;
  json::Object content_;
};

/// By id.
using KeyTable = std::map<std::string, Key, std::less<>>;

}  // namespace curupira::tuf
