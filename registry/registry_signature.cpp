#include "registry/registry_signature.h"

#include <algorithm>

#include "base/printable.h"
#include "base/signature.h"
#include "base/timestamp.h"

namespace curupira::registry {

namespace {

constexpr std::string_view integrity_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=- ?";

/// A key is known by what it is, never only by what it is called. Both forms are in use; npm's is OpenSSH's.
bool is_named_after(const std::string& key_id, const PublicKey& key) {
  const std::string unpadded = key_id.substr(0, key_id.find('='));
  return unpadded == key.ssh_fingerprint() || unpadded == key.der_fingerprint();
}

/// Why the key could not sign a version that was published then; nothing when it could.
Result<std::optional<std::string>> expiry_problem(const RegistrySignature& signature) {
  if (!signature.expires) return std::nullopt;
  CURUPIRA_TRY(const auto expires, parse_timestamp(*signature.expires));
  if (!signature.published)
    return "the key expired " + format_timestamp(expires) +
           ", and the registry does not say when the version was published";
  CURUPIRA_TRY(const auto published, parse_timestamp(*signature.published));
  if (published < expires) return std::nullopt;
  return "the key expired " + format_timestamp(expires) + ", the version was published " +
         format_timestamp(published);
}

/// Why it does not hold; nothing when it holds.
Result<std::optional<std::string>> problem_of(const RegistrySignature& signature, const std::string& package,
                                              const std::string& version, const Digest& digest) {
  const std::string beginning = signed_text(package, version, "");
  if (!signature.text.starts_with(beginning)) return "what was signed is of another package or version";
  const std::string_view integrity = std::string_view(signature.text).substr(beginning.size());
  // Nothing that hides in the text: it is shown to people and stands in command lines of theirs.
  if (integrity.find_first_not_of(integrity_characters) != std::string_view::npos)
    return "what was signed has characters that no integrity has";
  CURUPIRA_TRY(const auto digests, parse_integrity(integrity));
  if (std::ranges::find(digests, digest) == digests.end() || !digest.strong())
    return "what was signed has another digest than the artifact, which has " + digest.sri();
  CURUPIRA_TRY(const SignatureScheme scheme, parse_signature_scheme(signature.scheme));
  // The others have no such key id.
  if (scheme != SignatureScheme::ecdsa_p256_sha256)
    return "npm registries do not sign with " + std::string(name_of(scheme));
  CURUPIRA_TRY(const auto der, base64_decode(signature.key));
  CURUPIRA_TRY(const PublicKey key, PublicKey::from_der(scheme, der));
  if (!is_named_after(signature.key_id, key))
    return "the key has another fingerprint: " + key.ssh_fingerprint();
  CURUPIRA_TRY(auto expired, expiry_problem(signature));
  if (expired) return expired;
  CURUPIRA_TRY(const auto bytes, base64_decode(signature.signature));
  if (!key.verifies(signature.text, bytes)) return "the key did not make this signature";
  return std::nullopt;
}

}  // namespace

std::string signed_text(const std::string& package, const std::string& version,
                        const std::string& integrity) {
  return package + "@" + version + ":" + integrity;
}

Result<> check_signature(const RegistrySignature& signature, const std::string& package,
                         const std::string& version, const Digest& digest) {
  auto problem = problem_of(signature, package, version, digest);
  if (problem && !*problem) return {};
  const std::string why = problem ? **problem : problem.error().summary();
  return fail(ErrorCode::signature_invalid, printable(package) + "@" + printable(version) + ": " + why +
                                                "\nsigned \"" + excerpt(signature.text, 400) + "\"\nkey    " +
                                                excerpt(signature.key_id, 100) + " of " +
                                                excerpt(signature.registry, 200));
}

json::Value to_json(const RegistrySignature& signature) {
  json::Object object;
  object.set("text", signature.text);
  object.set("signature", signature.signature);
  object.set("keyId", signature.key_id);
  object.set("scheme", signature.scheme);
  object.set("key", signature.key);
  if (signature.expires) object.set("keyExpires", *signature.expires);
  if (signature.published) object.set("published", *signature.published);
  object.set("registry", signature.registry);
  if (!signature.obtained.empty()) object.set("obtained", signature.obtained);
  return object;
}

std::optional<RegistrySignature> read_signature(const json::Value& value) {
  RegistrySignature signature;
  const auto required = [&](std::string_view name, std::string& place) {
    const std::string* const text = value.find_string(name);
    if (text != nullptr) place = *text;
    return text != nullptr;
  };
  const auto optional = [&](std::string_view name, std::optional<std::string>& place) {
    if (value.find(name) == nullptr) return true;
    const std::string* const text = value.find_string(name);
    if (text != nullptr) place = *text;
    return text != nullptr;
  };
  if (const std::string* const obtained = value.find_string("obtained")) signature.obtained = *obtained;
  const bool complete = required("text", signature.text) && required("signature", signature.signature) &&
                        required("keyId", signature.key_id) && required("scheme", signature.scheme) &&
                        required("key", signature.key) && required("registry", signature.registry) &&
                        optional("keyExpires", signature.expires) &&
                        optional("published", signature.published);
  return complete ? std::optional(std::move(signature)) : std::nullopt;
}

}  // namespace curupira::registry
