#include "tuf/key.h"

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/printable.h"
#include "tuf/canonical_json.h"
#include "tuf/fields.h"
#include "tuf/hex.h"

namespace curupira::tuf {
namespace {

struct KnownKey {
  std::string_view key_type;
  SignatureScheme scheme;
};

/// "ecdsa-sha2-nistp256" as a key type is the specification's; implementations write "ecdsa".
constexpr std::array known_keys{
    KnownKey{"ed25519", SignatureScheme::ed25519}, KnownKey{"ecdsa", SignatureScheme::ecdsa_p256_sha256},
    KnownKey{"ecdsa-sha2-nistp256", SignatureScheme::ecdsa_p256_sha256},
    KnownKey{"rsa", SignatureScheme::rsa_pss_sha256}, KnownKey{"rsa", SignatureScheme::rsa_pkcs1_sha256}};

Result<std::string> id_of(const json::Object& content) {
  CURUPIRA_TRY(const std::string canonical, canonical_json(content));
  return digest_of(DigestAlgorithm::sha256, canonical).hex();
}

}  // namespace

Result<Key> Key::parse(std::string id, const json::Value& value) {
  const std::string where = "the key " + excerpt(id, 80);
  CURUPIRA_TRY(Fields fields, Fields::of(value, where));
  CURUPIRA_CHECK(fields.text("keytype"));
  CURUPIRA_CHECK(fields.text("scheme"));
  CURUPIRA_TRY(Fields parts, fields.object("keyval"));
  CURUPIRA_CHECK(parts.text("public"));
  CURUPIRA_TRY(const std::string own, id_of(*value.as_object()));
  if (id != own) return fail(ErrorCode::tuf_key_id, where + " has the id " + own);
  return Key(std::move(id), *value.as_object());
}

Result<Key> Key::from_ed25519(const PublicKey& key) {
  json::Object parts;
  parts.set("public", hex_of(key.ed25519_bytes()));
  json::Object content;
  content.set("keytype", "ed25519");
  content.set("keyval", std::move(parts));
  content.set("scheme", std::string(name_of(SignatureScheme::ed25519)));
  CURUPIRA_TRY(std::string id, id_of(content));
  return Key(std::move(id), std::move(content));
}

Result<PublicKey> Key::public_key() const {
  const std::string& type = *content_.find("keytype")->as_string();
  const std::string& scheme_name = *content_.find("scheme")->as_string();
  const std::string& text = *content_.find("keyval")->find_string("public");
  const auto known = std::ranges::find_if(known_keys, [&](const KnownKey& each) {
    return each.key_type == type && name_of(each.scheme) == scheme_name;
  });
  if (known == known_keys.end())
    return fail(ErrorCode::signature_invalid, "keys of type \"" + excerpt(type, 40) +
                                                  "\" with the scheme \"" + excerpt(scheme_name, 40) +
                                                  "\" are not known");
  if (known->scheme != SignatureScheme::ed25519) return PublicKey::from_pem(known->scheme, text);
  const auto bytes = bytes_of_hex(text);
  if (!bytes) return fail(ErrorCode::signature_invalid, "an ed25519 key is 64 hexadecimal digits");
  return PublicKey::from_ed25519(*bytes);
}

}  // namespace curupira::tuf
