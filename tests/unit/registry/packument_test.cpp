#include "registry/packument.h"

#include <gtest/gtest.h>

#include "registry/npm_integrity.h"

namespace curupira::registry {
namespace {

Packument packument(std::string_view versions, std::string_view tags = R"({"latest":"1.1.0"})") {
  const std::string text =
      R"({"name":"x","dist-tags":)" + std::string(tags) + R"(,"versions":)" + std::string(versions) + "}";
  return Packument::parse(text, "x").value();
}

const std::string_view plain =
    R"({"1.0.0":{},"1.1.0":{},"1.2.0":{},"2.0.0-rc.1":{},"2.0.0":{},"not-a-version":{}})";

std::string chosen(const Packument& packument, std::string_view wanted) {
  CollectedDiagnostics diagnostics;
  const auto release = packument.choose(wanted, diagnostics);
  return release ? release->version : error_name(release.error().code());
}

TEST(Packument, AnExactVersion) {
  EXPECT_EQ(chosen(packument(plain), "1.0.0"), "1.0.0");
}

TEST(Packument, ATag) {
  EXPECT_EQ(chosen(packument(plain, R"({"next":"2.0.0-rc.1"})"), "next"), "2.0.0-rc.1");
}

TEST(Packument, ARangePrefersLatestOverHigher) {
  EXPECT_EQ(chosen(packument(plain), "^1.0"), "1.1.0");
}

TEST(Packument, ARangeThatLatestDoesNotFitTakesTheHighest) {
  EXPECT_EQ(chosen(packument(plain), ">=1.2"), "2.0.0");
}

TEST(Packument, APrereleaseOnlyWhenTheRangeNamesOne) {
  const auto p = packument(R"({"1.0.0":{},"2.0.0-rc.1":{},"2.0.0-rc.2":{}})", "{}");
  EXPECT_EQ(chosen(p, ">=1"), "1.0.0");
  EXPECT_EQ(chosen(p, "^2.0.0-rc.1"), "2.0.0-rc.2");
  EXPECT_EQ(chosen(p, "2.x"), "CUR-1304");
}

TEST(Packument, DeprecatedOnesComeLastAndWithTheirWarning) {
  const auto p = packument(
      R"({"1.0.0":{},"1.1.0":{"deprecated":"leaks\u001b[31m memory"},"3.0.0":{"deprecated":"why"}})");
  EXPECT_EQ(chosen(p, "^1"), "1.0.0") << "although latest is 1.1.0";
  CollectedDiagnostics diagnostics;
  EXPECT_EQ(p.choose("1.1.0", diagnostics)->version, "1.1.0");
  ASSERT_EQ(diagnostics.all.size(), 1u);
  EXPECT_NE(diagnostics.all[0].text.find("npm:x@1.1.0 is deprecated: leaks"), std::string::npos);
  EXPECT_EQ(diagnostics.all[0].text.find('\x1b'), std::string::npos);
  EXPECT_EQ(chosen(p, "^3"), "3.0.0") << "nothing else fits";
}

TEST(Packument, AVersionThatDoesNotExistShowsItsNeighbours) {
  std::string versions = "{";
  for (int minor = 0; minor < 20; ++minor)
    versions += (minor ? ",\"1." : "\"1.") + std::to_string(minor) + ".0\":{}";
  CollectedDiagnostics diagnostics;
  const auto release = packument(versions + "}").choose("1.7.5", diagnostics);
  ASSERT_FALSE(release);
  EXPECT_EQ(release.error().code(), ErrorCode::version_not_found);
  for (const char* near : {"1.7.0", "1.8.0"})
    EXPECT_NE(release.error().detail().find(near), std::string::npos) << near;
  EXPECT_EQ(release.error().detail().find("1.15.0"), std::string::npos);
}

TEST(Packument, ATagThatDoesNotExistShowsThoseThatDo) {
  CollectedDiagnostics diagnostics;
  const auto release = packument(plain).choose("nightly", diagnostics);
  ASSERT_FALSE(release);
  EXPECT_EQ(release.error().code(), ErrorCode::version_not_found);
  EXPECT_NE(release.error().detail().find("latest = 1.1.0"), std::string::npos);
}

TEST(Packument, APackageWithoutVersions) {
  EXPECT_EQ(chosen(packument("{}"), "latest"), "CUR-1304");
}

bool needs_resolver(std::string_view release) {
  return packument(R"({"1.1.0":)" + std::string(release) + "}").find("1.1.0")->needs_resolver;
}

TEST(Packument, KnowsWhenNpmHasToResolve) {
  EXPECT_FALSE(needs_resolver("{}"));
  EXPECT_FALSE(needs_resolver(R"({"dependencies":{},"devDependencies":{"a":"1"}})"));
  EXPECT_TRUE(needs_resolver(R"({"dependencies":{"a":"1"}})"));
  EXPECT_TRUE(needs_resolver(R"({"optionalDependencies":{"a":"1"}})"));
  EXPECT_TRUE(needs_resolver(R"({"peerDependencies":{"a":"1"}})"));
  EXPECT_FALSE(
      needs_resolver(R"({"peerDependencies":{"a":"1"},"peerDependenciesMeta":{"a":{"optional":true}}})"));
  EXPECT_FALSE(needs_resolver(R"({"dependencies":{"a":"1"},"bundleDependencies":["a"]})"));
  EXPECT_TRUE(needs_resolver(R"({"dependencies":{"a":"1","b":"1"},"bundleDependencies":["a"]})"));
}

ErrorCode parse_error(std::string_view text) {
  const auto result = Packument::parse(text, "x");
  return result ? ErrorCode::internal : result.error().code();
}

TEST(Packument, WhatIsNoPackumentIsRefused) {
  EXPECT_EQ(parse_error("<html>"), ErrorCode::registry_unreadable);
  EXPECT_EQ(parse_error("[]"), ErrorCode::registry_unreadable);
  EXPECT_EQ(parse_error(R"({"versions":[]})"), ErrorCode::registry_unreadable);
  EXPECT_EQ(parse_error(R"({"name":"y","versions":{}})"), ErrorCode::registry_unreadable);
}

TEST(NpmIntegrity, OnlyStrongDigestsVouch) {
  const std::string sha512 = "sha512-" + std::string(86, 'A') + "==";
  const std::string sha1 = "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  const std::string both = sha1 + " " + sha512, broken = "sha512-x", hex(40, 'a');
  EXPECT_EQ(npm_proof(&sha512, nullptr, "x@1")->any_of.size(), 1u);
  EXPECT_EQ(npm_proof(&both, nullptr, "x@1")->any_of.front().algorithm(), DigestAlgorithm::sha512);
  EXPECT_EQ(npm_proof(&sha1, nullptr, "x@1").error().code(), ErrorCode::integrity_weak);
  EXPECT_EQ(npm_proof(nullptr, &hex, "x@1").error().code(), ErrorCode::integrity_weak);
  EXPECT_EQ(npm_proof(nullptr, nullptr, "x@1").error().code(), ErrorCode::integrity_missing);
  EXPECT_EQ(npm_proof(&broken, nullptr, "x@1").error().code(), ErrorCode::integrity_missing);
}

}  // namespace
}  // namespace curupira::registry
