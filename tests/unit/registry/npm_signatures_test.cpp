#include "registry/npm_signatures.h"

#include "base/timestamp.h"
#include "tests/support/signed_package.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class HandClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return time; }
  std::chrono::steady_clock::time_point steady_now() const override { return {}; }
  std::chrono::system_clock::time_point time = parse_timestamp("2026-01-01T00:00:00Z").value();
};

class NpmSignaturesTest : public test::RegistryTest {
 protected:
  NpmSignaturesTest() { folder.write("user/.npmrc", "registry=https://npm.example.org/\n"); }

  void publish_keys(const std::string& expires = "null") {
    http.answer(keys_url, R"({"keys":[{"expires":)" + expires + R"(,"keyid":")" + package.key_id +
                              R"(","keytype":"ecdsa-sha2-nistp256","scheme":"ecdsa-sha2-nistp256","key":")" +
                              package.key + "\"}]}");
  }
  void publish(const std::string& signatures, const std::string& members = {}) {
    http.answer("https://npm.example.org/@acme%2Fx",
                R"({"name":"@acme/x","versions":{"1.2.3":{"dist":{"integrity":")" + package.integrity + "\"" +
                    signatures + "}}}" + members + "}");
  }
  std::string one_signature(const std::string& key_id) const {
    return R"(,"signatures":[{"keyid":")" + key_id + R"(","sig":")" + package.signature + R"("}])";
  }
  /// The artifact with what was found for it.
  Result<Proof> proof() {
    Artifact artifact{.package = package.package,
                      .version = package.version,
                      .file_name = "x-1.2.3.tgz",
                      .location = Url::parse("https://npm.example.org/x.tgz").value(),
                      .proof = {.any_of = {Digest::from_sri(package.integrity).value()}}};
    SourceTools with_clock = tools();
    with_clock.clock = &clock;
    CURUPIRA_CHECK(add_npm_signatures(with_clock, std::span(&artifact, 1), diagnostics));
    return artifact.proof;
  }
  std::size_t asked(const std::string& url) const {
    return static_cast<std::size_t>(
        std::ranges::count(http.requests, url, &test::FakeHttpClient::Request::url));
  }

  const curupira::test::SignedPackage package;
  const std::string keys_url = "https://npm.example.org/-/npm/v1/keys";
  HandClock clock;
};

TEST_F(NpmSignaturesTest, WhatWasSignedIsInTheProof) {
  publish_keys();
  publish(one_signature(package.key_id));
  const auto found = proof();
  ASSERT_TRUE(found) << found.error().summary();
  ASSERT_EQ(found->signatures.size(), 1u);
  const RegistrySignature& signature = found->signatures[0];
  EXPECT_EQ(signature.text, package.text);
  EXPECT_EQ(signature.registry, "https://npm.example.org/");
  EXPECT_EQ(signature.obtained, "2026-01-01T00:00:00Z");
  EXPECT_TRUE(check_signature(signature, package.package, package.version, found->any_of[0]));
}

TEST_F(NpmSignaturesTest, ARegistryThatPublishesNoKeysIsAskedNothingElse) {
  publish(one_signature(package.key_id));
  const auto found = proof();
  ASSERT_TRUE(found) << found.error().summary();
  EXPECT_TRUE(found->signatures.empty());
  ASSERT_EQ(http.requests.size(), 1u);
  EXPECT_EQ(http.requests[0].url, keys_url);
  EXPECT_TRUE(diagnostics.all.empty());
}

TEST_F(NpmSignaturesTest, ARegistryThatDoesNotKnowTheQuestionPublishesNoKeys) {
  publish(one_signature(package.key_id));
  for (const int status : {400, 404, 405, 410, 501}) {
    http.refuse(keys_url, status);
    const auto found = proof();
    ASSERT_TRUE(found) << status << found.error().summary();
    EXPECT_TRUE(found->signatures.empty());
  }
}

TEST_F(NpmSignaturesTest, OtherRefusalsOfTheKeysAreErrors) {
  publish(one_signature(package.key_id));
  for (const auto& [status, code] : {std::pair(401, ErrorCode::credentials_refused),
                                     {403, ErrorCode::credentials_refused},
                                     {406, ErrorCode::http_status},
                                     {500, ErrorCode::http_status}}) {
    http.refuse(keys_url, status);
    const auto found = proof();
    ASSERT_FALSE(found) << status;
    EXPECT_EQ(found.error().code(), code);
  }
}

TEST_F(NpmSignaturesTest, KeysThatCannotBeRead) {
  publish(one_signature(package.key_id));
  for (const char* text : {"<html>", "{}", R"({"keys":{}})", R"({"keys":[1]})", R"({"keys":[{"keyid":"a"}]})",
                           R"({"keys":[{"keyid":"a","key":"b","scheme":"c","expires":1}]})"}) {
    http.answer(keys_url, text);
    const auto found = proof();
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code(), ErrorCode::registry_unreadable);
  }
}

TEST_F(NpmSignaturesTest, APackageWithoutSignatureIsAWarning) {
  publish_keys();
  publish("");
  const auto found = proof();
  ASSERT_TRUE(found) << found.error().summary();
  EXPECT_TRUE(found->signatures.empty());
  EXPECT_TRUE(was_reported("has no signature for @acme/x@1.2.3"));
}

TEST_F(NpmSignaturesTest, AKeyThatTheRegistryDoesNotPublish) {
  publish_keys();
  publish(one_signature("SHA256:unknown"));
  const auto found = proof();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::signature_invalid);
  for (const std::string& words :
       {std::string("@acme/x@1.2.3"), std::string("SHA256:unknown"), package.key_id})
    EXPECT_NE(found.error().detail().find(words), std::string::npos) << found.error().detail();
}

TEST_F(NpmSignaturesTest, SignaturesThatCannotBeReadAreNotMissing) {
  publish_keys();
  for (const char* members :
       {R"(,"signatures":{})", R"(,"signatures":[1])", R"(,"signatures":[{"sig":"a"}])"}) {
    publish(members);
    const auto found = proof();
    ASSERT_FALSE(found) << members;
    EXPECT_EQ(found.error().code(), ErrorCode::signature_invalid);
  }
}

TEST_F(NpmSignaturesTest, OnlyAKeyWithAnExpiryNeedsTheFullPackument) {
  publish_keys();
  publish(one_signature(package.key_id));
  ASSERT_TRUE(proof());
  EXPECT_EQ(asked("https://npm.example.org/@acme%2Fx"), 1u);
  http.requests.clear();
  clock.time += std::chrono::hours(2);
  publish_keys("\"2025-01-29T00:00:00Z\"");
  ASSERT_TRUE(proof());
  ASSERT_EQ(asked("https://npm.example.org/@acme%2Fx"), 2u);
  EXPECT_EQ(http.requests.back().accept, "application/json");
}

TEST_F(NpmSignaturesTest, TheTimeOfPublishingIsInTheProof) {
  publish_keys("\"2025-01-29T00:00:00Z\"");
  publish(one_signature(package.key_id), R"(,"time":{"1.2.3":"2024-05-05T00:00:00.000Z"})");
  const auto found = proof();
  ASSERT_TRUE(found) << found.error().summary();
  EXPECT_EQ(found->signatures.at(0).expires, "2025-01-29T00:00:00Z");
  EXPECT_EQ(found->signatures.at(0).published, "2024-05-05T00:00:00.000Z");
}

TEST_F(NpmSignaturesTest, KeysAreKeptForAnHour) {
  publish_keys();
  publish(one_signature(package.key_id));
  ASSERT_TRUE(proof());
  clock.time += std::chrono::minutes(59);
  ASSERT_TRUE(proof());
  EXPECT_EQ(asked(keys_url), 1u);
  clock.time += std::chrono::minutes(2);
  ASSERT_TRUE(proof());
  EXPECT_EQ(asked(keys_url), 2u);
}

TEST_F(NpmSignaturesTest, AKeyThatIsNewerThanTheKeptOnesIsAskedFor) {
  publish(one_signature(package.key_id));
  http.answer(keys_url, R"({"keys":[{"expires":null,"keyid":"SHA256:old","scheme":"s","key":"k"}]})");
  ASSERT_FALSE(proof());
  publish_keys();
  const auto found = proof();
  ASSERT_TRUE(found) << found.error().summary();
  EXPECT_EQ(found->signatures.size(), 1u);
}

TEST_F(NpmSignaturesTest, ThatARegistryHasNoKeysIsNotKept) {
  publish(one_signature(package.key_id));
  ASSERT_TRUE(proof());
  publish_keys();
  EXPECT_EQ(proof().value().signatures.size(), 1u);
}

}  // namespace
}  // namespace curupira::registry
