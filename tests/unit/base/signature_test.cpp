#include "base/signature.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "tests/support/signed_package.h"

namespace curupira {
namespace {

const test::SignedPackage signed_package;

Result<PublicKey> key_of(std::string_view base64) {
  const auto der = base64_decode(base64);
  EXPECT_TRUE(der);
  return PublicKey::from_der(SignatureScheme::ecdsa_p256_sha256, *der);
}

bool verifies(std::string_view key, std::string_view text, std::string_view signature) {
  return key_of(key).value().verifies(text, base64_decode(signature).value());
}

TEST(Signature, OneThatHolds) {
  EXPECT_TRUE(verifies(signed_package.key, signed_package.text, signed_package.signature));
}

TEST(Signature, OfAnotherText) {
  EXPECT_FALSE(verifies(signed_package.key, signed_package.text + " ", signed_package.signature));
}

TEST(Signature, OfAnotherKey) {
  EXPECT_FALSE(verifies(signed_package.key, signed_package.text, signed_package.other_signature));
  EXPECT_TRUE(verifies(signed_package.other_key, signed_package.text, signed_package.other_signature));
}

TEST(Signature, EveryBitCounts) {
  const auto key = key_of(signed_package.key).value();
  const auto signature = base64_decode(signed_package.signature).value();
  for (std::size_t i = 0; i < signature.size(); ++i) {
    auto changed = signature;
    changed[i] ^= std::byte{1};
    EXPECT_FALSE(key.verifies(signed_package.text, changed)) << "byte " << i;
  }
}

TEST(Signature, BytesBeforeOrAfterAreNoSignature) {
  const auto key = key_of(signed_package.key).value();
  auto signature = base64_decode(signed_package.signature).value();
  EXPECT_FALSE(key.verifies(signed_package.text, {}));
  EXPECT_FALSE(key.verifies(signed_package.text, std::span(signature).first(signature.size() - 1)));
  signature.push_back(std::byte{0});
  EXPECT_FALSE(key.verifies(signed_package.text, signature));
}

TEST(PublicKeyTest, FingerprintsAreThoseOfOpenSsh) {
  const auto key = key_of(signed_package.key).value();
  EXPECT_EQ(key.ssh_fingerprint(), signed_package.key_id);  // ssh-keygen -l
  EXPECT_EQ(key.der_fingerprint(), "SHA256:QoHzgF1v5r1ieO95v9ZFI+3hWgA8zhxbhz9/oVF0aEw");
}

struct BadKey {
  const char* why;
  const char* key;
};

class PublicKeyRefusal : public ::testing::TestWithParam<BadKey> {};

TEST_P(PublicKeyRefusal, SaysWhy) {
  const auto key = key_of(GetParam().key);
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code(), ErrorCode::signature_invalid);
  EXPECT_NE(key.error().detail().find(GetParam().why), std::string::npos) << key.error().detail();
}

INSTANTIATE_TEST_SUITE_P(
    Keys, PublicKeyRefusal,
    ::testing::Values(
        BadKey{"no DER SubjectPublicKeyInfo", "AAAA"}, BadKey{"no DER SubjectPublicKeyInfo", ""},
        BadKey{"of another type", "MCowBQYDK2VwAyEAzC3RSL0dumPSMZ9pSjb12Ca26UCFYzZuvuKF5uiV4uc="},
        BadKey{
            "of another curve",
            "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAERzeWgESGI/sK7o6tXWXav53P5DXZ4kEbu75DUBK9B0Jqv+Sw+LbGLgHuXcSvIm2b"
            "VGGqMjFKFh/1+qnbSnPN1vdBDO75zQaHu6VRRjPQBJ6b6W3YyvqcbMJQT0BwQ76Q"},
        BadKey{
            "the one way",  // bytes after the key
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHvtH5iVTLQv1pewKXRAmw2BImRmMqMynrDojWfhk5sExqQwfdwuUL7tkUMvn"
            "TNsrgmwWfVzRlxysAGkl7C2Z2wAA"}));

TEST(SignatureSchemeTest, IsNamedAsNpmNamesIt) {
  EXPECT_EQ(parse_signature_scheme("ecdsa-sha2-nistp256").value(), SignatureScheme::ecdsa_p256_sha256);
  EXPECT_EQ(name_of(SignatureScheme::ecdsa_p256_sha256), "ecdsa-sha2-nistp256");
  const auto unknown = parse_signature_scheme("rot13");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().detail(),
            "the signature scheme \"rot13\" is not known; known are ecdsa-sha2-nistp256, ed25519, "
            "rsassa-pss-sha256, rsa-pkcs1v15-sha256");
}

}  // namespace
}  // namespace curupira
