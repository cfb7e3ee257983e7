#pragma once

#include <optional>
#include <string>

#include "base/digest.h"
#include "base/json.h"
#include "base/result.h"

namespace curupira::registry {

/// What a registry signed for one artifact (npm: `dist.signatures`), with all that checks it without the
/// registry. Nothing is believed of it before `check_signature`.
struct RegistrySignature {
  std::string text;                    ///< what was signed: "name@version:integrity"
  std::string signature;               ///< base64
  std::string key_id;                  ///< "SHA256:<base64>"
  std::string scheme;                  ///< "ecdsa-sha2-nistp256"
  std::string key;                     ///< base64 of the DER SubjectPublicKeyInfo
  std::optional<std::string> expires;  ///< of the key (RFC 3339)
  std::optional<std::string>
      published;         ///< when the registry says that the version came; asked when `expires`
  std::string registry;  ///< whose keys these are: its address
  std::string obtained;  ///< when its keys were asked for; empty where nobody knows the time

  bool operator==(const RegistrySignature&) const = default;
};

/// Holds the signature for exactly this artifact: the text names `package`, `version` and `digest`, the key
/// is what its id says, it had not expired when the version was published, and it made the signature. Error:
/// signature_invalid with package, key id and the signed text.
Result<> check_signature(const RegistrySignature& signature, const std::string& package,
                         const std::string& version, const Digest& digest);

/// What npm registries sign: "name@version:integrity".
std::string signed_text(const std::string& package, const std::string& version, const std::string& integrity);

json::Value to_json(const RegistrySignature& signature);
/// Nothing when a member is missing or of another type.
std::optional<RegistrySignature> read_signature(const json::Value& value);

}  // namespace curupira::registry
