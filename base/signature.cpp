#include "base/signature.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/digest.h"
#include "base/printable.h"

namespace curupira {
namespace {

struct SchemeInfo {
  SignatureScheme scheme;
  std::string_view name;
  const char* key_type;
  const char* group;           ///< the curve; nullptr where the type has only one
  const EVP_MD* (*hash)();     ///< nullptr where the scheme hashes by itself
  std::string_view ssh_group;  ///< as OpenSSH names the curve (RFC 5656 §3.1)
};

constexpr std::array schemes{SchemeInfo{.scheme = SignatureScheme::ecdsa_p256_sha256,
                                        .name = "ecdsa-sha2-nistp256",
                                        .key_type = "EC",
                                        .group = "prime256v1",
                                        .hash = EVP_sha256,
                                        .ssh_group = "nistp256"}};

const SchemeInfo& info_of(SignatureScheme scheme) {
  for (const SchemeInfo& info : schemes)
    if (info.scheme == scheme) return info;
  return schemes.front();
}

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

const unsigned char* octets(std::span<const std::byte> bytes) {
  // A span of bytes and one of unsigned char are the same memory; OpenSSL wants the latter.
  return static_cast<const unsigned char*>(static_cast<const void*>(bytes.data()));
}

std::vector<std::byte> taken(unsigned char* allocated, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(allocated, size));
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  OPENSSL_free(allocated);
  return copy;
}

/// The key as OpenSSL would write it.
std::vector<std::byte> canonical_der(const EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  return size > 0 ? taken(der, static_cast<std::size_t>(size)) : std::vector<std::byte>();
}

bool is_of_group(const EVP_PKEY* key, std::string_view group) {
  std::array<char, 80> name{};
  std::size_t size = 0;
  return EVP_PKEY_get_group_name(key, name.data(), name.size(), &size) == 1 &&
         std::string_view(name.data(), size) == group;
}

/// A string of the SSH protocol: its length in four bytes, then itself (RFC 4251 §5).
void append_ssh_string(std::string& out, std::string_view text) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out += static_cast<char>((text.size() >> shift) & 0xffu);
  out += text;
}

std::string fingerprint(std::string_view bytes) {
  std::string text = base64_encode(digest_of(DigestAlgorithm::sha256, bytes).bytes());
  text.resize(text.find('='));
  return "SHA256:" + text;
}

std::string_view characters(std::span<const std::byte> bytes) {
  return {static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size()};
}

}  // namespace

struct PublicKey::State {
  SignatureScheme scheme;
  Key key;
  std::vector<std::byte> der;
  std::vector<std::byte> point;  ///< as it stands in certificates: 04, x, y
};

std::string_view name_of(SignatureScheme scheme) {
  return info_of(scheme).name;
}

Result<SignatureScheme> parse_signature_scheme(std::string_view name) {
  std::string known;
  for (const SchemeInfo& info : schemes) {
    if (name == info.name) return info.scheme;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  return fail(ErrorCode::signature_invalid,
              "the signature scheme \"" + excerpt(name, 40) + "\" is not known; known is " + known);
}

Result<PublicKey> PublicKey::from_der(SignatureScheme scheme, std::span<const std::byte> der) {
  const SchemeInfo& info = info_of(scheme);
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::signature_invalid,
                "the public key is not one of " + std::string(info.name) + ": " + std::string(why));
  };
  const unsigned char* at = octets(der);
  Key key(d2i_PUBKEY(nullptr, &at, static_cast<long>(der.size())), &EVP_PKEY_free);
  if (!key) return refuse("it is no DER SubjectPublicKeyInfo");
  if (EVP_PKEY_is_a(key.get(), info.key_type) != 1) return refuse("it is of another type");
  if (info.group != nullptr && !is_of_group(key.get(), info.group)) return refuse("it is of another curve");
  std::vector<std::byte> canonical = canonical_der(key.get());
  // Two texts for one key would be two key ids for one signer.
  if (!std::ranges::equal(canonical, der)) return refuse("it is not written in the one way that DER has");
  unsigned char* encoded = nullptr;
  const std::size_t size = EVP_PKEY_get1_encoded_public_key(key.get(), &encoded);
  if (size == 0) return refuse("it has no public part");
  std::vector<std::byte> point = taken(encoded, size);
  return PublicKey(
      std::make_shared<const State>(State{scheme, std::move(key), std::move(canonical), std::move(point)}));
}

SignatureScheme PublicKey::scheme() const {
  return state_->scheme;
}

bool PublicKey::verifies(std::string_view message, std::span<const std::byte> signature) const {
  const SchemeInfo& info = info_of(state_->scheme);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const EVP_MD* const hash = info.hash != nullptr ? info.hash() : nullptr;
  return context && EVP_DigestVerifyInit(context.get(), nullptr, hash, nullptr, state_->key.get()) == 1 &&
         EVP_DigestVerify(context.get(), octets(signature), signature.size(),
                          octets(std::as_bytes(std::span(message))), message.size()) == 1;
}

std::string PublicKey::ssh_fingerprint() const {
  const SchemeInfo& info = info_of(state_->scheme);
  std::string blob;
  append_ssh_string(blob, info.name);
  append_ssh_string(blob, info.ssh_group);
  append_ssh_string(blob, characters(state_->point));
  return fingerprint(blob);
}

std::string PublicKey::der_fingerprint() const {
  return fingerprint(characters(state_->der));
}

}  // namespace curupira
