#include "registry/registry_signature.h"

#include <gtest/gtest.h>

#include "tests/support/signed_package.h"

namespace curupira::registry {
namespace {

const curupira::test::SignedPackage package;

class CheckSignature : public ::testing::Test {
 protected:
  /// Why it does not hold; "holds" when it does.
  std::string why(const std::string& name = package.package, const std::string& version = package.version) {
    const auto digest = Digest::from_sri(integrity).value();
    const auto checked = check_signature(signature, name, version, digest);
    if (checked) return "holds";
    EXPECT_EQ(checked.error().code(), ErrorCode::signature_invalid);
    return checked.error().detail();
  }
  bool refused_for(const std::string& words) { return why().find(words) != std::string::npos; }

  std::string integrity = package.integrity;  ///< of the artifact
  RegistrySignature signature{.text = package.text,
                              .signature = package.signature,
                              .key_id = package.key_id,
                              .scheme = "ecdsa-sha2-nistp256",
                              .key = package.key,
                              .expires = {},
                              .published = {},
                              .registry = "https://npm.example.org/",
                              .obtained = {}};
};

TEST_F(CheckSignature, Holds) {
  EXPECT_EQ(why(), "holds");
}

TEST_F(CheckSignature, TheRefusalNamesPackageKeyAndWhatWasSigned) {
  signature.signature = package.other_signature;
  const std::string text = why();
  for (const std::string& words : {std::string("@acme/x@1.2.3: the key did not make this signature"),
                                   package.text, package.key_id, std::string("https://npm.example.org/")})
    EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST_F(CheckSignature, OfAnotherPackageOrVersion) {
  EXPECT_NE(why("@acme/y").find("of another package or version"), std::string::npos);
  EXPECT_NE(why(package.package, "1.2.4").find("of another package or version"), std::string::npos);
}

TEST_F(CheckSignature, OfAnotherDigest) {
  integrity = "sha512-" + std::string(85, 'A') + "A==";
  EXPECT_TRUE(refused_for("another digest than the artifact, which has " + integrity)) << why();
}

TEST_F(CheckSignature, AnIntegrityThatCannotBeRead) {
  signature.text = "@acme/x@1.2.3:";
  EXPECT_TRUE(refused_for("the list of hashes is empty")) << why();
}

TEST_F(CheckSignature, WhatCouldBeACommandIsNoIntegrity) {
  signature.text += " '; rm -rf /; '";
  EXPECT_TRUE(refused_for("characters that no integrity has")) << why();
}

TEST_F(CheckSignature, AKeyIdThatIsNotTheKeys) {
  signature.key = package.other_key;
  signature.signature = package.other_signature;
  EXPECT_TRUE(refused_for("the key has another fingerprint")) << why();
}

TEST_F(CheckSignature, TheFingerprintOfTheDerFormIsAnIdToo) {
  signature.key_id = "SHA256:QoHzgF1v5r1ieO95v9ZFI+3hWgA8zhxbhz9/oVF0aEw=";
  EXPECT_EQ(why(), "holds");
}

TEST_F(CheckSignature, AnUnknownScheme) {
  signature.scheme = "rot13";
  EXPECT_TRUE(refused_for("\"rot13\" is not known")) << why();
  signature.scheme = "ed25519";
  EXPECT_TRUE(refused_for("do not sign with ed25519")) << why();
}

TEST_F(CheckSignature, TextsThatAreNoBase64) {
  signature.signature = "!";
  EXPECT_TRUE(refused_for("not base64")) << why();
}

TEST_F(CheckSignature, PublishedBeforeTheKeyExpired) {
  signature.expires = "2025-01-29T00:00:00.000Z";
  signature.published = "2025-01-28T23:59:59.999Z";
  EXPECT_EQ(why(), "holds");
}

TEST_F(CheckSignature, PublishedWhenTheKeyHadExpired) {
  signature.expires = "2025-01-29T00:00:00.000Z";
  signature.published = "2025-01-29T00:00:00.000Z";
  EXPECT_TRUE(
      refused_for("the key expired 2025-01-29T00:00:00Z, the version was published 2025-01-29T00:00:00Z"))
      << why();
}

TEST_F(CheckSignature, AKeyWithAnExpiryNeedsATime) {
  signature.expires = "2999-01-01T00:00:00Z";
  EXPECT_TRUE(refused_for("does not say when the version was published")) << why();
  signature.published = "yesterday";
  EXPECT_TRUE(refused_for("yesterday")) << why();
}

TEST_F(CheckSignature, IsTheSameAfterWritingAndReading) {
  signature.expires = "2025-01-29T00:00:00.000Z";
  signature.published = "2025-01-28T00:00:00.000Z";
  signature.obtained = "2026-01-01T00:00:00Z";
  EXPECT_EQ(read_signature(to_json(signature)), signature);
}

TEST_F(CheckSignature, WhatLacksAMemberIsNotRead) {
  for (const char* member : {"text", "signature", "keyId", "scheme", "key", "registry"}) {
    json::Object changed = *to_json(signature).as_object();
    changed.set(member, 1);
    EXPECT_FALSE(read_signature(changed)) << member;
  }
}

}  // namespace
}  // namespace curupira::registry
