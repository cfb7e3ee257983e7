#include "tuf/key.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/private_key.h"
#include "tests/support/signed_text.h"

namespace curupira::tuf {
namespace {

json::Object key_object(std::string_view type, std::string_view scheme, std::string_view text) {
  json::Object parts;
  parts.set("public", std::string(text));
  json::Object key;
  key.set("keytype", std::string(type));
  key.set("scheme", std::string(scheme));
  key.set("keyval", std::move(parts));
  return key;
}

// Ids as securesystemslib computes them.
constexpr std::string_view ed25519_id = "f5ed6283098248e9dab5982a5fc7041ff081dcb6b321a9065f765469613d734d";
constexpr std::string_view ecdsa_id = "a9a12fbc0011ee3719206cc08c514cecd7ce5d5716ada8b97f8d668facaba964";
constexpr std::string_view rsa_id = "db868fca827c6e12162e81b4cfb4e0ad11b2dc2e9951ce960db758c3ff279db4";

TEST(KeyTest, OfEveryKindHasTheIdOfAnotherImplementationAndVerifies) {
  const auto verifies = [](std::string_view id, const json::Object& object, std::string_view signature) {
    const auto key = Key::parse(std::string(id), object).value();
    EXPECT_EQ(key.id(), id);
    EXPECT_TRUE(key.public_key().value().verifies(test::signed_text, base64_decode(signature).value()));
  };
  verifies(ed25519_id, key_object("ed25519", "ed25519", test::ed25519_hex), test::ed25519_signature);
  verifies(ecdsa_id, key_object("ecdsa", "ecdsa-sha2-nistp256", test::ecdsa_key), test::ecdsa_signature);
  verifies(rsa_id, key_object("rsa", "rsassa-pss-sha256", test::rsa_key), test::rsa_pss_signature);
}

TEST(KeyTest, MembersThatNobodyKnowsArePartOfTheId) {
  json::Object object = key_object("ed25519", "ed25519", test::ed25519_hex);
  object.set("x-owner", "@somebody");
  EXPECT_TRUE(Key::parse("f5bf0ab29cbc6bd20fc91212e055999f285121d464d7771a01e19e22c26cbd79", object));
  const auto refused = Key::parse(std::string(ed25519_id), object);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::tuf_key_id);
}

TEST(KeyTest, AnIdInUpperCaseIsAnotherId) {
  std::string id(ed25519_id);
  id[0] = 'F';
  EXPECT_FALSE(Key::parse(id, key_object("ed25519", "ed25519", test::ed25519_hex)));
}

TEST(KeyTest, OfOursIsWrittenAsItIsRead) {
  const auto key =
      Key::from_ed25519(PrivateKey::from_pem(test::private_key, {}).value().public_key()).value();
  EXPECT_EQ(key.id(), ed25519_id);
  EXPECT_EQ(Key::parse(key.id(), key.content()).value(), key);
}

Result<PublicKey> public_key_of(const json::Object& object) {
  const auto refused = Key::parse("", object);
  const std::string& detail = refused.error().detail();
  return Key::parse(detail.substr(detail.rfind(' ') + 1), object).value().public_key();
}

TEST(KeyTest, WhatIsNotKnownOrNotAKeyVouchesForNothing) {
  const auto says = [](std::string_view words, const json::Object& object) {
    const auto key = public_key_of(object);
    ASSERT_FALSE(key);
    EXPECT_NE(key.error().detail().find(words), std::string::npos) << key.error().detail();
  };
  says("are not known", key_object("sphincs", "sphincs", "00"));
  says("are not known", key_object("rsa", "ed25519", test::ed25519_hex));
  says("are not known", key_object("ecdsa", "ecdsa-sha2-nistp384", test::p384_key));
  says("another curve", key_object("ecdsa", "ecdsa-sha2-nistp256", test::p384_key));
  says("1024 bits", key_object("rsa", "rsassa-pss-sha256", test::small_rsa_key));
  says("64 hexadecimal digits", key_object("ed25519", "ed25519", "no digits"));
  says("key of 32 bytes", key_object("ed25519", "ed25519", "abcd"));
}

TEST(KeyTest, HasAllItsMembers) {
  for (const char* member : {"keytype", "scheme", "keyval"}) {
    json::Object object = key_object("ed25519", "ed25519", test::ed25519_hex);
    object.set(member, 1);
    const auto refused = Key::parse(std::string(ed25519_id), object);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::tuf_field);
    EXPECT_NE(refused.error().detail().find(member), std::string::npos) << refused.error().detail();
  }
}

}  // namespace
}  // namespace curupira::tuf
