// Names of what carriers carry: hostile metadata decides about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/auth_challenge.h"
#include "registry/carried_target.h"
#include "registry/carrier.h"
#include "registry/oci_referrers.h"
#include "registry/oci_registry_manifests.h"
#include "registry/oci_repository.h"

namespace curupira::registry {
namespace {

const std::string hex = std::string(60, 'a') + "0123";

TEST(MetadataName, IsOneSegmentOfUnreservedCharacters) {
  for (const std::string name : {"1.root.json", "timestamp.json", "5.bins-0a.json", "1.team%2Fx_~.json"})
    EXPECT_TRUE(check_metadata_name(name)) << name;
  for (const std::string name : {"", ".json", "..", "a/b.json", "-x.json", "%2e.json", "root.txt", "a b.json",
                                 "a\\b.json", "ä.json", "@a.json"})
    EXPECT_EQ(check_metadata_name(name).error().code(), ErrorCode::carrier_file_missing) << name;
  EXPECT_FALSE(check_metadata_name(std::string(251, 'x') + ".json"));
  EXPECT_FALSE(check_metadata_name(std::string("a\0.json", 7)));
}

TEST(MetadataName, HasAVersionOrNot) {
  EXPECT_TRUE(has_version("1.root.json"));
  EXPECT_TRUE(has_version("12.bins-0a.json"));
  for (const std::string name : {"timestamp.json", "root.json", "7.json", "7", "a7.root.json", ".root.json"})
    EXPECT_FALSE(has_version(name)) << name;
}

TEST(MetadataTag, IsInjectiveAndLegal) {
  EXPECT_EQ(metadata_tag("1.root.json"), "1.root.json");
  EXPECT_EQ(metadata_tag("1.a%2Fb_c~d.json"), "1.a_252Fb_5Fc_7Ed.json");
  const std::string longest = std::string(123, 'x') + ".json";
  EXPECT_EQ(metadata_tag(longest), longest);
  EXPECT_EQ(metadata_tag("x" + longest).size(), 5u + 64u);
  EXPECT_NE(metadata_tag("x" + longest), metadata_tag("y" + longest));
}

TEST(CarriedTarget, TakesTheDigestFromTheNameUnlessItIsGiven) {
  const auto named = CarriedTarget::parse("artifacts/" + hex + ".x.tar.gz", nullptr);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->sha256->hex(), hex);
  const Digest other = digest_of(DigestAlgorithm::sha256, "x");
  EXPECT_EQ(CarriedTarget::parse("artifacts/" + hex + ".x", &other)->sha256, other);
  for (const std::string& path :
       std::vector<std::string>{"x.tar.gz", "a/" + hex, "a/" + hex + "x", "a/" + hex.substr(1) + ".x"})
    EXPECT_FALSE(CarriedTarget::parse(path, nullptr)->sha256) << path;
}

TEST(CarriedTarget, IsBelowTheFolder) {
  for (const std::string path : {"", "/a", "../a", "a/../b", "a//b", "./a", "a/", "a\\b"})
    EXPECT_EQ(CarriedTarget::parse(path, nullptr).error().code(), ErrorCode::carrier_file_missing) << path;
  EXPECT_EQ(CarriedTarget::parse("p/@a/x y#?.json", nullptr)->url_path(), "p/%40a/x%20y%23%3F.json");
}

TEST(OciRepositoryAddress, HostAndPath) {
  const auto far = OciRepository::parse("oci://example.org:5000/team/plug-ins_a.b__c");
  ASSERT_TRUE(far) << far.error().detail();
  EXPECT_EQ(far->origin.to_string(), "https://example.org:5000/");
  EXPECT_EQ(far->authority(), "example.org:5000");
  EXPECT_EQ(far->to_string(), "oci://example.org:5000/team/plug-ins_a.b__c");
  EXPECT_EQ(OciRepository::parse("oci://localhost:5000/a")->origin.to_string(), "http://localhost:5000/");
  EXPECT_EQ(OciRepository::parse("oci://[::1]:5000/a")->origin.to_string(), "http://[::1]:5000/");
}

TEST(OciRepositoryAddress, NothingElse) {
  for (const std::string address :
       {"https://example.org/a", "oci://", "oci://example.org", "oci://example.org/", "oci:///a",
        "oci://example.org/A", "oci://example.org/a/", "oci://example.org//a", "oci://example.org/a:tag",
        "oci://example.org/a@sha256:0", "oci://example.org/a?b", "oci://example.org/a..b",
        "oci://example.org/a_-b", "oci://example.org/-a", "oci://example.org/../a", "oci://exa mple.org/a",
        "oci://me@example.org/a"})
    EXPECT_EQ(OciRepository::parse(address).error().code(), ErrorCode::carrier_address) << address;
  EXPECT_FALSE(OciRepository::parse("oci://example.org/" + std::string(256, 'a')));
}

TEST(Challenges, OfOneHeader) {
  const auto all =
      parse_challenges(R"(Basic realm="a, b=\"c\"", bearer REALM="https://x/",service=tests , scope = "s")");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].scheme, "basic");
  EXPECT_EQ(all[0].parameters.at("realm"), "a, b=\"c\"");
  EXPECT_EQ(all[1].scheme, "bearer");
  EXPECT_EQ(all[1].parameters.at("realm"), "https://x/");
  EXPECT_EQ(all[1].parameters.at("service"), "tests");
  EXPECT_EQ(all[1].parameters.at("scope"), "s");
}

TEST(Challenges, ThatCannotBeReadAreLeftOut) {
  for (const std::string text : {"", " ", ",,", "=x", "\"", "realm=\"x\"", "\x01"})
    EXPECT_TRUE(parse_challenges(text).empty()) << text;
  EXPECT_TRUE(parse_challenges("Bearer realm=\"open").at(0).parameters.empty());
  EXPECT_EQ(parse_challenges("Bearer a=1,a=2").at(0).parameters.at("a"), "1");
}

TEST(Referrers, AreReadFromAnIndex) {
  const auto all = parse_oci_referrers(
      R"({"manifests":[{"artifactType":"a/b","annotations":{"k":"v","n":1}},{"artifactType":7},[]]})");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ(all->at(0).artifact_type, "a/b");
  EXPECT_EQ(all->at(0).annotations.size(), 1u);
  for (const std::string text : {"", "[]", "{}", R"({"manifests":7})"})
    EXPECT_EQ(parse_oci_referrers(text).error().code(), ErrorCode::carrier_unreadable) << text;
}

TEST(Referrers, TheNextPage) {
  EXPECT_EQ(next_page("</v2/a?last=x>; rel=\"next\""), "/v2/a?last=x");
  for (const std::string text : {"", "<>", "</a>; rel=\"prev\"", ">a<; rel=\"next\"", "</a"})
    EXPECT_EQ(next_page(text), "") << text;
}

}  // namespace
}  // namespace curupira::registry
