#include "base/private_key.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "tests/support/signed_text.h"

namespace curupira {
namespace {

const Secret passphrase{std::string(test::passphrase)};

std::string refusal(std::string_view pem, const Secret& words = {}) {
  const auto key = PrivateKey::from_pem(pem, words);
  if (key) return "accepted";
  EXPECT_EQ(key.error().code(), ErrorCode::signing_key_unreadable);
  return key.error().detail();
}

TEST(PrivateKeyTest, SignsAsAnotherImplementationDoes) {
  const auto key = PrivateKey::from_pem(test::private_key, {}).value();
  EXPECT_EQ(key.sign(test::signed_text).value(), base64_decode(test::ed25519_signature).value());
}

TEST(PrivateKeyTest, ReadsWhatAnotherImplementationEncrypted) {
  const auto key = PrivateKey::from_pem(test::encrypted_private_key, passphrase).value();
  EXPECT_EQ(key.public_key().der_fingerprint(),
            PublicKey::from_pem(SignatureScheme::ed25519, test::ed25519_key).value().der_fingerprint());
}

TEST(PrivateKeyTest, IsTheSameAfterWritingAndReading) {
  const auto key = PrivateKey::generate().value();
  for (const Secret& words : {Secret(), passphrase}) {
    const std::string pem = key.to_pem(words).value();
    EXPECT_EQ(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), !words.empty()) << pem;
    const auto again = PrivateKey::from_pem(pem, words).value();
    EXPECT_EQ(again.public_key().der_fingerprint(), key.public_key().der_fingerprint());
    EXPECT_TRUE(key.public_key().verifies("x", again.sign("x").value()));
  }
}

TEST(PrivateKeyTest, TwoGeneratedKeysDiffer) {
  EXPECT_NE(PrivateKey::generate().value().public_key().der_fingerprint(),
            PrivateKey::generate().value().public_key().der_fingerprint());
}

TEST(PrivateKeyTest, RefusesWithTheReason) {
  EXPECT_NE(refusal(test::encrypted_private_key).find("no passphrase was given"), std::string::npos);
  EXPECT_NE(refusal(test::encrypted_private_key, Secret("wrong")).find("is not that of the key"),
            std::string::npos);
  EXPECT_NE(refusal(test::p384_private_key).find("not an ed25519 key"), std::string::npos);
  EXPECT_NE(refusal(test::ed25519_key).find("no PEM block"), std::string::npos);
  EXPECT_NE(refusal("").find("no PEM block"), std::string::npos);
  EXPECT_NE(refusal(std::string(1 << 20, '-')).find("no PEM block"), std::string::npos);
  EXPECT_NE(refusal("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").find("damaged"),
            std::string::npos);
}

}  // namespace
}  // namespace curupira
