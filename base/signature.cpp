#include "base/signature.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
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
  int padding;                 ///< of RSA; 0 for others
  std::string_view ssh_group;  ///< as OpenSSH names the curve (RFC 5656 §3.1); empty where none is needed
};

constexpr std::array schemes{SchemeInfo{.scheme = SignatureScheme::ecdsa_p256_sha256,
                                        .name = "ecdsa-sha2-nistp256",
                                        .key_type = "EC",
                                        .group = "prime256v1",
                                        .hash = EVP_sha256,
                                        .padding = 0,
                                        .ssh_group = "nistp256"},
                             SchemeInfo{.scheme = SignatureScheme::ed25519,
                                        .name = "ed25519",
                                        .key_type = "ED25519",
                                        .group = nullptr,
                                        .hash = nullptr,
                                        .padding = 0,
                                        .ssh_group = {}},
                             SchemeInfo{.scheme = SignatureScheme::rsa_pss_sha256,
                                        .name = "rsassa-pss-sha256",
                                        .key_type = "RSA",
                                        .group = nullptr,
                                        .hash = EVP_sha256,
                                        .padding = RSA_PKCS1_PSS_PADDING,
                                        .ssh_group = {}},
                             SchemeInfo{.scheme = SignatureScheme::rsa_pkcs1_sha256,
                                        .name = "rsa-pkcs1v15-sha256",
                                        .key_type = "RSA",
                                        .group = nullptr,
                                        .hash = EVP_sha256,
                                        .padding = RSA_PKCS1_PADDING,
                                        .ssh_group = {}}};

/// Smaller ones can be broken; checking a signature of a larger one costs too much.
constexpr int least_rsa_bits = 2048;
constexpr int most_rsa_bits = 8192;
/// Of a key's PEM text: one of the largest RSA keys needs less.
constexpr std::size_t max_pem_bytes = 8192;

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

/// The point of an elliptic curve's key as it stands in certificates: 04, x, y. Empty for other keys.
std::vector<std::byte> point_of(EVP_PKEY* key) {
  unsigned char* encoded = nullptr;
  const std::size_t size = EVP_PKEY_get1_encoded_public_key(key, &encoded);
  return size > 0 ? taken(encoded, size) : std::vector<std::byte>();
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

/// Sets what a scheme has beside its key and hash.
bool prepare(EVP_PKEY_CTX* context, const SchemeInfo& info) {
  if (info.padding == 0) return true;
  if (EVP_PKEY_CTX_set_rsa_padding(context, info.padding) != 1) return false;
  // Signers choose the length of the salt; it is found out from the signature.
  return info.padding != RSA_PKCS1_PSS_PADDING ||
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_AUTO) == 1;
}

/// Why the key is none of the scheme; empty when it is one.
std::string problem_of(const EVP_PKEY* key, const SchemeInfo& info) {
  if (EVP_PKEY_is_a(key, info.key_type) != 1) return "it is of another type";
  if (info.group != nullptr && !is_of_group(key, info.group)) return "it is of another curve";
  if (info.padding == 0) return {};
  const int bits = EVP_PKEY_get_bits(key);
  if (bits >= least_rsa_bits && bits <= most_rsa_bits) return {};
  return "it has " + std::to_string(bits) + " bits; allowed are " + std::to_string(least_rsa_bits) + " to " +
         std::to_string(most_rsa_bits);
}

tl::unexpected<Error> refusal(SignatureScheme scheme, const std::string& why) {
  ERR_clear_error();
  return fail(ErrorCode::signature_invalid,
              "the public key is not one of " + std::string(info_of(scheme).name) + ": " + why);
}

/// OpenSSL's own way is to ask on the terminal, when a text says that it is encrypted.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

std::string_view characters(std::span<const std::byte> bytes) {
  return {static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size()};
}

}  // namespace

struct PublicKey::State {
  SignatureScheme scheme;
  Key key;
  std::vector<std::byte> der;

  /// `key` may be null, when it could not be read.
  static Result<std::shared_ptr<const State>> of(SignatureScheme scheme, Key key, std::string_view form) {
    if (!key) return refusal(scheme, "it is no " + std::string(form));
    if (const std::string problem = problem_of(key.get(), info_of(scheme)); !problem.empty())
      return refusal(scheme, problem);
    std::vector<std::byte> der = canonical_der(key.get());
    if (der.empty()) return refusal(scheme, "it has no public part");
    return std::make_shared<const State>(State{scheme, std::move(key), std::move(der)});
  }
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
              "the signature scheme \"" + excerpt(name, 40) + "\" is not known; known are " + known);
}

Result<PublicKey> PublicKey::from_der(SignatureScheme scheme, std::span<const std::byte> der) {
  const unsigned char* at = octets(der);
  Key key(d2i_PUBKEY(nullptr, &at, static_cast<long>(der.size())), &EVP_PKEY_free);
  CURUPIRA_TRY(auto state, State::of(scheme, std::move(key), "DER SubjectPublicKeyInfo"));
  // Two texts for one key would be two key ids for one signer.
  if (!std::ranges::equal(state->der, der))
    return refusal(scheme, "it is not written in the one way that DER has");
  return PublicKey(std::move(state));
}

Result<PublicKey> PublicKey::from_pem(SignatureScheme scheme, std::string_view pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(
      BIO_new_mem_buf(pem.data(), static_cast<int>(std::min<std::size_t>(pem.size(), max_pem_bytes))),
      &BIO_free);
  Key key(text ? PEM_read_bio_PUBKEY(text.get(), nullptr, &no_passphrase, nullptr) : nullptr, &EVP_PKEY_free);
  CURUPIRA_TRY(auto state, State::of(scheme, std::move(key), "PEM block \"PUBLIC KEY\""));
  return PublicKey(std::move(state));
}

Result<PublicKey> PublicKey::from_ed25519(std::span<const std::byte> bytes) {
  Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, octets(bytes), bytes.size()),
          &EVP_PKEY_free);
  CURUPIRA_TRY(auto state, State::of(SignatureScheme::ed25519, std::move(key), "key of 32 bytes"));
  return PublicKey(std::move(state));
}

SignatureScheme PublicKey::scheme() const {
  return state_->scheme;
}

bool PublicKey::verifies(std::string_view message, std::span<const std::byte> signature) const {
  const SchemeInfo& info = info_of(state_->scheme);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const EVP_MD* const hash = info.hash != nullptr ? info.hash() : nullptr;
  EVP_PKEY_CTX* parameters = nullptr;  // belongs to the context
  const bool holds =
      context && EVP_DigestVerifyInit(context.get(), &parameters, hash, nullptr, state_->key.get()) == 1 &&
      prepare(parameters, info) &&
      EVP_DigestVerify(context.get(), octets(signature), signature.size(),
                       octets(std::as_bytes(std::span(message))), message.size()) == 1;
  ERR_clear_error();
  return holds;
}

std::span<const std::byte> PublicKey::der() const {
  return state_->der;
}

std::vector<std::byte> PublicKey::ed25519_bytes() const {
  std::array<unsigned char, 32> bytes{};
  std::size_t size = bytes.size();
  if (state_->scheme != SignatureScheme::ed25519 ||
      EVP_PKEY_get_raw_public_key(state_->key.get(), bytes.data(), &size) != 1)
    return {};
  const auto view = std::as_bytes(std::span(bytes).first(size));
  return {view.begin(), view.end()};
}

std::string PublicKey::ssh_fingerprint() const {
  const SchemeInfo& info = info_of(state_->scheme);
  if (info.ssh_group.empty()) return {};
  std::string blob;
  append_ssh_string(blob, info.name);
  append_ssh_string(blob, info.ssh_group);
  append_ssh_string(blob, characters(point_of(state_->key.get())));
  return fingerprint(blob);
}

std::string PublicKey::der_fingerprint() const {
  return fingerprint(characters(state_->der));
}

}  // namespace curupira
