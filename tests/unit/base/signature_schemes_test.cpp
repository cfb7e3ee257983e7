#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/signature.h"
#include "tests/support/signed_text.h"

namespace curupira {
namespace {

struct Signed {
  SignatureScheme scheme;
  std::string_view key;
  std::string_view signature;
};

class EveryScheme : public ::testing::TestWithParam<Signed> {};

TEST_P(EveryScheme, VerifiesWhatAnotherImplementationSigned) {
  const auto& [scheme, pem, signature] = GetParam();
  const auto key = PublicKey::from_pem(scheme, pem).value();
  const auto bytes = base64_decode(signature).value();
  EXPECT_TRUE(key.verifies(test::signed_text, bytes));
  EXPECT_FALSE(key.verifies("another text", bytes));
  EXPECT_FALSE(key.verifies(test::signed_text, {}));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto changed = bytes;
    changed[i] ^= std::byte{1};
    EXPECT_FALSE(key.verifies(test::signed_text, changed)) << "byte " << i;
  }
}

TEST_P(EveryScheme, IsTheSameKeyInEveryForm) {
  const auto& [scheme, pem, signature] = GetParam();
  const auto key = PublicKey::from_pem(scheme, pem).value();
  const auto again = PublicKey::from_der(scheme, key.der()).value();
  EXPECT_EQ(again.der_fingerprint(), key.der_fingerprint());
  EXPECT_EQ(parse_signature_scheme(name_of(scheme)).value(), scheme);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, EveryScheme,
    ::testing::Values(Signed{SignatureScheme::ed25519, test::ed25519_key, test::ed25519_signature},
                      Signed{SignatureScheme::ecdsa_p256_sha256, test::ecdsa_key, test::ecdsa_signature},
                      Signed{SignatureScheme::rsa_pss_sha256, test::rsa_key, test::rsa_pss_signature},
                      Signed{SignatureScheme::rsa_pss_sha256, test::rsa_key,
                             test::rsa_pss_long_salt_signature},
                      Signed{SignatureScheme::rsa_pkcs1_sha256, test::rsa_key, test::rsa_pkcs1_signature}));

TEST(SignatureSchemes, PaddingsAreNotConfused) {
  const auto pss = PublicKey::from_pem(SignatureScheme::rsa_pss_sha256, test::rsa_key).value();
  const auto pkcs1 = PublicKey::from_pem(SignatureScheme::rsa_pkcs1_sha256, test::rsa_key).value();
  EXPECT_FALSE(pss.verifies(test::signed_text, base64_decode(test::rsa_pkcs1_signature).value()));
  EXPECT_FALSE(pkcs1.verifies(test::signed_text, base64_decode(test::rsa_pss_signature).value()));
}

std::string refusal(SignatureScheme scheme, std::string_view pem) {
  const auto key = PublicKey::from_pem(scheme, pem);
  if (key) return "accepted";
  EXPECT_EQ(key.error().code(), ErrorCode::signature_invalid);
  return key.error().detail();
}

TEST(SignatureSchemes, KeysThatAreRefused) {
  const auto says = [](std::string_view words, SignatureScheme scheme, std::string_view pem) {
    const std::string text = refusal(scheme, pem);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says("it has 1024 bits; allowed are 2048 to 8192", SignatureScheme::rsa_pss_sha256, test::small_rsa_key);
  says("of another curve", SignatureScheme::ecdsa_p256_sha256, test::p384_key);
  says("of another type", SignatureScheme::ed25519, test::ecdsa_key);
  says("of another type", SignatureScheme::rsa_pss_sha256, test::ed25519_key);
  says("no PEM block", SignatureScheme::ed25519, "");
  says("no PEM block", SignatureScheme::ed25519, test::private_key);
}

TEST(SignatureSchemes, ATextThatSaysItIsEncryptedAsksNobody) {
  std::string pem(test::ed25519_key);
  pem.insert(pem.find('\n') + 1,
             "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n");
  EXPECT_NE(refusal(SignatureScheme::ed25519, pem).find("no PEM block"), std::string::npos);
}

TEST(SignatureSchemes, OnlyEd25519KeysHaveBareBytes) {
  const auto key = PublicKey::from_pem(SignatureScheme::ed25519, test::ed25519_key).value();
  ASSERT_EQ(key.ed25519_bytes().size(), 32u);
  EXPECT_EQ(PublicKey::from_ed25519(key.ed25519_bytes()).value().der_fingerprint(), key.der_fingerprint());
  EXPECT_FALSE(PublicKey::from_ed25519(std::vector<std::byte>(31)));
  EXPECT_TRUE(PublicKey::from_pem(SignatureScheme::ecdsa_p256_sha256, test::ecdsa_key)
                  .value()
                  .ed25519_bytes()
                  .empty());
  EXPECT_EQ(key.ssh_fingerprint(), "");
}

}  // namespace
}  // namespace curupira
