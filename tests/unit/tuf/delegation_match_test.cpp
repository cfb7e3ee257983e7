#include "tuf/delegation_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira::tuf {
namespace {

TargetName name_of(std::string_view text) {
  return TargetName::parse(text).value();
}

// The examples of the specification (§4.5), and then ours.
TEST(PathMatches, AsTheSpecificationSays) {
  EXPECT_TRUE(path_matches("targets/*.tgz", "targets/foo.tgz"));
  EXPECT_FALSE(path_matches("targets/*.tgz", "targets/foo.txt"));
  EXPECT_TRUE(path_matches("foo-version-?.tgz", "foo-version-a.tgz"));
  EXPECT_FALSE(path_matches("foo-version-?.tgz", "foo-version-alpha.tgz"));
  EXPECT_TRUE(path_matches("*.tgz", "bar.tgz"));
  EXPECT_FALSE(path_matches("*.tgz", "targets/foo.tgz"));
  EXPECT_TRUE(path_matches("foo.tgz", "foo.tgz"));
  EXPECT_FALSE(path_matches("foo.tgz", "FOO.tgz"));
}

TEST(PathMatches, SegmentsOneByOne) {
  EXPECT_TRUE(path_matches("*/*", "a/b"));
  EXPECT_FALSE(path_matches("*/*", "a"));
  EXPECT_FALSE(path_matches("*/*", "a/b/c"));
  EXPECT_FALSE(path_matches("*",
                            ""
                            "a/b"));
  EXPECT_FALSE(path_matches("a/", "a"));
  EXPECT_FALSE(path_matches("", "a"));
  EXPECT_FALSE(path_matches("[!a]/x", "//x"));
  EXPECT_FALSE(path_matches("a[/]b", "a/b"));
}

std::vector<std::string> roles_for(const Delegations& delegations, std::string_view target) {
  std::vector<std::string> roles;
  for (const auto& each : matching_delegations(delegations, name_of(target)))
    roles.push_back(each.role + (each.terminating ? "!" : ""));
  return roles;
}

TEST(MatchingDelegations, InTheirOrderAndNoneAfterATerminatingOne) {
  Delegations delegations;
  delegations.roles = {{.name = "docs", .paths = {{"*.md", "docs/*"}}},
                       {.name = "all", .terminating = true, .paths = {{"*"}}},
                       {.name = "late", .paths = {{"*"}}},
                       {.name = "nothing"}};
  EXPECT_THAT(roles_for(delegations, "a.md"), testing::ElementsAre("docs", "all!"));
  EXPECT_THAT(roles_for(delegations, "docs/a"), testing::ElementsAre("docs"));
  EXPECT_THAT(roles_for(delegations, "x/y"), testing::IsEmpty());
}

TEST(MatchingDelegations, ByPrefixesOfTheDigest) {
  // sha256 of the name: ea63421f…
  Delegations delegations;
  delegations.roles = {{.name = "even", .path_hash_prefixes = {{"0", "ea63421f"}}},
                       {.name = "odd", .path_hash_prefixes = {{"ea634220", "EA"}}},
                       {.name = "every", .path_hash_prefixes = {{""}}}};
  EXPECT_THAT(roles_for(delegations, "packages/x/1.0.0.json"), testing::ElementsAre("even", "every"));
}

// Names as python-tuf gives them.
TEST(Bins, AreThoseOfAnotherImplementation) {
  struct Expected {
    int bits;
    std::string boo, package, umlaut;
  };
  for (const auto& [bits, boo, package, umlaut] :
       {Expected{1, "bin-0", "bin-1", "bin-0"}, Expected{4, "bin-6", "bin-e", "bin-3"},
        Expected{5, "bin-0c", "bin-1d", "bin-06"}, Expected{10, "bin-191", "bin-3a9", "bin-0cf"},
        Expected{32, "bin-6446d58d", "bin-ea63421f", "bin-33e6d73f"}}) {
    Delegations delegations;
    delegations.succinct_roles = SuccinctRoles{.bit_length = bits, .name_prefix = "bin"};
    EXPECT_THAT(roles_for(delegations, "boo"), testing::ElementsAre(boo + "!"));
    EXPECT_THAT(roles_for(delegations, "packages/x/1.0.0.json"), testing::ElementsAre(package + "!"));
    EXPECT_THAT(roles_for(delegations, "ä"), testing::ElementsAre(umlaut + "!"));
  }
}

TEST(Bins, FirstAndLast) {
  const SuccinctRoles roles{.bit_length = 10, .name_prefix = "b"};
  EXPECT_EQ(bin_name(roles, 0), "b-000");
  EXPECT_EQ(bin_name(roles, 1023), "b-3ff");
}

TEST(TargetNameTest, WithItsDigest) {
  const Digest digest = digest_of(DigestAlgorithm::sha256, "");
  EXPECT_EQ(name_of("a/b.c").with_digest(digest), "a/" + digest.hex() + ".b.c");
  EXPECT_EQ(name_of("b").with_digest(digest), digest.hex() + ".b");
}

TEST(TargetNameTest, RefusesWhatIsNoPlainRelativePath) {
  for (const char* text : {"", "/a", "../a", "a/../b", "a/..", ".", "./a", "a/./b", "a//b", "a/", "a\\b"}) {
    const auto refused = TargetName::parse(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code(), ErrorCode::tuf_target_name);
  }
  EXPECT_FALSE(TargetName::parse(std::string_view("a\0b", 3)));
  EXPECT_FALSE(TargetName::parse("a\xff"));
}

}  // namespace
}  // namespace curupira::tuf
