#include "tuf/signing.h"

#include <algorithm>

#include "tuf/hex.h"

namespace curupira::tuf {

Result<> sign(Document& document, const PrivateKey& key) {
  CURUPIRA_TRY(const Key described, Key::from_ed25519(key.public_key()));
  CURUPIRA_TRY(const std::string bytes, bytes_to_sign(document.content));
  CURUPIRA_TRY(const auto signature, key.sign(bytes));
  const auto present = std::ranges::find(document.signatures, described.id(), &Signature::key_id);
  if (present != document.signatures.end()) {
    present->hex = hex_of(signature);
  } else {
    document.signatures.push_back({.key_id = described.id(), .hex = hex_of(signature)});
  }
  return {};
}

Result<std::string> signed_file(json::Object content, std::span<const PrivateKey> keys) {
  Document document{.content = std::move(content)};
  for (const PrivateKey& key : keys)
    CURUPIRA_CHECK(sign(document, key));
  return write_document(document);
}

}  // namespace curupira::tuf
