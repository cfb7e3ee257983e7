#pragma once

#include <span>
#include <string>

#include "base/private_key.h"
#include "tuf/document.h"
#include "tuf/key.h"

namespace curupira::tuf {

/// Adds the key's signature, or replaces the one that has its key id. Errors: tuf_syntax for content that
/// cannot be signed; signing_key_unreadable.
Result<> sign(Document& document, const PrivateKey& key);

/// A metadata file of this content, signed by each of the keys.
Result<std::string> signed_file(json::Object content, std::span<const PrivateKey> keys);

}  // namespace curupira::tuf
