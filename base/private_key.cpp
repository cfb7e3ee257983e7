#include "base/private_key.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include <array>

namespace curupira {
namespace {

/// A guess at a passphrase costs as many hashes: OpenSSL's own 2048 are of another century.
constexpr int key_derivation_rounds = 600'000;

constexpr std::size_t max_pem_bytes = 16 * 1024;

template <class T, void (*free_it)(T*)>
struct Freed {
  void operator()(T* it) const { free_it(it); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Pkcs8 = std::unique_ptr<PKCS8_PRIV_KEY_INFO, Freed<PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free>>;
using EncryptedPkcs8 = std::unique_ptr<X509_SIG, Freed<X509_SIG, X509_SIG_free>>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

tl::unexpected<Error> unreadable(std::string why) {
  ERR_clear_error();
  return fail(ErrorCode::signing_key_unreadable, std::move(why));
}

/// What stands in one PEM block; nothing of it is decrypted, so that nobody is asked for a passphrase.
class PemBlock {
 public:
  explicit PemBlock(std::string_view pem) {
    if (pem.size() > max_pem_bytes) return;
    const Bio text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
    if (!text || PEM_read_bio(text.get(), &name_, &header_, &data_, &size_) != 1) size_ = 0;
  }
  PemBlock(const PemBlock&) = delete;
  PemBlock& operator=(const PemBlock&) = delete;
  ~PemBlock() {
    OPENSSL_free(name_);
    OPENSSL_free(header_);
    OPENSSL_clear_free(data_, static_cast<std::size_t>(size_));
  }
  std::string_view name() const { return name_ != nullptr ? name_ : ""; }
  const unsigned char* data() const { return data_; }
  long size() const { return size_; }

 private:
  char* name_ = nullptr;
  char* header_ = nullptr;
  unsigned char* data_ = nullptr;
  long size_ = 0;
};

Result<Pkcs8> decrypted(const PemBlock& block, const Secret& passphrase) {
  const unsigned char* at = block.data();
  if (block.name() == PEM_STRING_PKCS8INF) return Pkcs8(d2i_PKCS8_PRIV_KEY_INFO(nullptr, &at, block.size()));
  if (block.name() != PEM_STRING_PKCS8)
    return unreadable("the file has no PEM block \"PRIVATE KEY\" or \"ENCRYPTED PRIVATE KEY\"");
  if (passphrase.empty()) return unreadable("the key is encrypted and no passphrase was given");
  const EncryptedPkcs8 encrypted(d2i_X509_SIG(nullptr, &at, block.size()));
  const std::string& words = passphrase.reveal();
  Pkcs8 plain(encrypted ? PKCS8_decrypt(encrypted.get(), words.data(), static_cast<int>(words.size()))
                        : nullptr);
  if (!plain) return unreadable("the passphrase is not that of the key, or the key is damaged");
  return plain;
}

}  // namespace

struct PrivateKey::State {
  Key key;
  PublicKey public_key;

  static Result<std::shared_ptr<const State>> of(Key key) {
    if (!key) return unreadable("the key is damaged");
    std::array<unsigned char, 32> bytes{};
    std::size_t size = bytes.size();
    if (EVP_PKEY_is_a(key.get(), "ED25519") != 1 ||
        EVP_PKEY_get_raw_public_key(key.get(), bytes.data(), &size) != 1)
      return unreadable("the key is not an ed25519 key");
    CURUPIRA_TRY(PublicKey public_key, PublicKey::from_ed25519(std::as_bytes(std::span(bytes).first(size))));
    return std::make_shared<const State>(State{std::move(key), std::move(public_key)});
  }
};

Result<PrivateKey> PrivateKey::generate() {
  CURUPIRA_TRY(auto state, State::of(Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"))));
  return PrivateKey(std::move(state));
}

Result<PrivateKey> PrivateKey::from_pem(std::string_view pem, const Secret& passphrase) {
  const PemBlock block(pem);
  CURUPIRA_TRY(const Pkcs8 plain, decrypted(block, passphrase));
  CURUPIRA_TRY(auto state, State::of(Key(plain ? EVP_PKCS82PKEY(plain.get()) : nullptr)));
  return PrivateKey(std::move(state));
}

Result<std::string> PrivateKey::to_pem(const Secret& passphrase) const {
  const Bio text(BIO_new(BIO_s_secmem()), &BIO_free);
  Pkcs8 plain(EVP_PKEY2PKCS8(state_->key.get()));
  bool written = false;
  if (passphrase.empty()) {
    written = text && plain && PEM_write_bio_PKCS8_PRIV_KEY_INFO(text.get(), plain.get()) == 1;
  } else {
    const std::string& words = passphrase.reveal();
    X509_ALGOR* const encryption =
        PKCS5_pbe2_set_iv(EVP_aes_256_cbc(), key_derivation_rounds, nullptr, 0, nullptr, NID_hmacWithSHA256);
    const EncryptedPkcs8 encrypted(
        plain && encryption != nullptr
            ? PKCS8_set0_pbe(words.data(), static_cast<int>(words.size()), plain.get(), encryption)
            : nullptr);
    if (!encrypted) X509_ALGOR_free(encryption);
    written = text && encrypted && PEM_write_bio_PKCS8(text.get(), encrypted.get()) == 1;
  }
  if (!written) return unreadable("the key could not be written");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return std::string(bytes, static_cast<std::size_t>(size));
}

Result<std::vector<std::byte>> PrivateKey::sign(std::string_view message) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<unsigned char, 64> signature{};
  std::size_t size = signature.size();
  const auto* const octets = static_cast<const unsigned char*>(static_cast<const void*>(message.data()));
  if (!context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, state_->key.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, octets, message.size()) != 1)
    return unreadable("the key cannot sign");
  const auto bytes = std::as_bytes(std::span(signature).first(size));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

PublicKey PrivateKey::public_key() const {
  return state_->public_key;
}

}  // namespace curupira
