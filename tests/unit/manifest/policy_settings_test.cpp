#include "manifest/policy_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/settings_text.h"

namespace curupira::manifest::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

Result<Policy> policy_of(std::string_view text) {
  CollectedDiagnostics ignored;
  return parse_policy(text, "/etc/acme/settings.toml", {.home = "/home/me", .curupira = "/home/me/.curupira"},
                      ignored);
}

TEST(PolicySettings, HaveEveryRuleWithItsLine) {
  const auto policy = policy_of(R"([policy]
allow = ["npm:@acme/*",
         "pip:curupira-*"]
deny = ["npm:@acme/old"]
minimum_release_age = "3d"
max_package_size = "50 MB"
permissions = ["network"]
runtimes = ["node", "python"]
allow_probe = false
allow_yanked = false

[[policy.verification]]
packages = ["npm:@acme/*"]
minimum_level = "registry-signed"
)");
  ASSERT_TRUE(policy) << policy.error().summary();
  ASSERT_TRUE(policy->allow);
  ASSERT_THAT(*policy->allow, SizeIs(2));
  EXPECT_EQ(policy->allow->at(1).text, "pip:curupira-*");
  EXPECT_EQ(policy->place(policy->allow->at(1).position), "/etc/acme/settings.toml:3");
  EXPECT_EQ(policy->deny.at(0).position.line, 4);
  EXPECT_EQ(policy->minimum_release_age->age, std::chrono::hours(72));
  EXPECT_EQ(policy->minimum_release_age->position.line, 5);
  EXPECT_EQ(policy->max_package_size->bytes, 50'000'000u);
  EXPECT_THAT(policy->permissions->globs, ElementsAre("network"));
  EXPECT_THAT(policy->runtimes->globs, ElementsAre("node", "python"));
  EXPECT_FALSE(policy->allow_probe->allowed);
  EXPECT_FALSE(policy->allow_yanked->allowed);
  EXPECT_EQ(policy->allow_yanked->position.line, 10);
  ASSERT_THAT(policy->verification, SizeIs(1));
  EXPECT_EQ(policy->verification[0].level, VerificationLevel::registry_signed);
  EXPECT_EQ(policy->verification[0].position.line, 14);
  EXPECT_FALSE(policy->empty());
}

TEST(PolicySettings, AreNoneWithoutTheTable) {
  const auto policy = policy_of("[settings]\nlog_level = \"INFO\"\n");
  ASSERT_TRUE(policy);
  EXPECT_TRUE(policy->empty());
}

TEST(PolicySettings, AllowingNothingIsARule) {
  const auto policy = policy_of("[policy]\nallow = []\n");
  ASSERT_TRUE(policy);
  ASSERT_TRUE(policy->allow);
  EXPECT_THAT(*policy->allow, IsEmpty());
  EXPECT_FALSE(policy->empty());
}

TEST(PolicySettings, AreReadWithTheOtherTables) {
  const auto settings = parse({.rest = "[policy]\ndeny = [\"npm:x\"]\n"});
  ASSERT_TRUE(settings) << settings.error().summary();
  EXPECT_THAT(settings->policy.deny, SizeIs(1));
}

TEST(PolicySettings, TakePathsFromTheirOwnFolder) {
  const auto policy = policy_of(
      "[policy]\nallow = [\"path:ext/*\", \"path:~/x\", \"path:/srv/*\", \"path:*\", \"archive:*\", "
      "\"archive:dist/*.zip\"]\n");
  ASSERT_TRUE(policy) << policy.error().summary();
  std::vector<std::string> globs;
  for (const auto& pattern : *policy->allow)
    globs.push_back(pattern.glob);
  EXPECT_THAT(globs, ElementsAre("path:/etc/acme/ext/*", "path:/home/me/x", "path:/srv/*", "path:*",
                                 "archive:*", "archive:/etc/acme/dist/*.zip"));
}

struct BadPolicy {
  const char* name;
  const char* text;
  const char* place;  ///< line and column
  const char* words;
};

void PrintTo(const BadPolicy& bad, std::ostream* out) {
  *out << bad.name;
}

class BadPolicies : public testing::TestWithParam<BadPolicy> {};

// A policy that is misspelt must not be silently off.
TEST_P(BadPolicies, AreRefusedWithPlaceAndField) {
  const auto policy = policy_of(GetParam().text);
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().code(), ErrorCode::settings_field);
  EXPECT_THAT(policy.error().detail(),
              StartsWith(std::string("/etc/acme/settings.toml:") + GetParam().place));
  EXPECT_THAT(policy.error().detail(), HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    Policy, BadPolicies,
    testing::Values(
        BadPolicy{"unknown_key", "[policy]\ndney = []\n", "2:1", "did you mean \"deny\"?"},
        BadPolicy{"unknown_rule_key", "[[policy.verification]]\npackage = []\n", "2:1",
                  "did you mean \"packages\"?"},
        BadPolicy{"nearly_the_table", "[polcy]\ndeny = []\n", "1:", "[policy]"},
        BadPolicy{"below_settings", "[settings.policy]\ndeny = []\n", "1:", "[policy]"},
        BadPolicy{"no_table", "policy = 3\n", "1:", "a table"},
        BadPolicy{"no_scheme", "[policy]\nallow = [\"@acme/*\"]\n", "2:10", "begins with \"npm:\""},
        BadPolicy{"unknown_scheme", "[policy]\nallow = [\"nmp:x\"]\n", "2:10", "begins with \"npm:\""},
        BadPolicy{"star_before_a_name", "[policy]\nallow = [\"*acme\"]\n", "2:10", "\"*\" alone"},
        BadPolicy{"npm_version", "[policy]\nallow = [\"npm:@acme/x@1\"]\n", "2:10", "without version"},
        BadPolicy{"npm_upper_case", "[policy]\nallow = [\"npm:Acme\"]\n", "2:10", "lower case"},
        BadPolicy{"pip_version", "[policy]\nallow = [\"pip:x==1\"]\n", "2:10", "without version"},
        BadPolicy{"pip_spelling", "[policy]\ndeny = [\"pip:Acme_x\"]\n", "2:9", "PEP 503"},
        BadPolicy{"archive_digest", "[policy]\nallow = [\"archive:https://example.org/x.zip#sha256=00\"]\n",
                  "2:10", "without its digest"},
        BadPolicy{"host_without_end", "[policy]\nallow = [\"archive:https://example.org*\"]\n", "2:10",
                  "'/' after its host"},
        BadPolicy{"open_set", "[policy]\ndeny = [\"npm:[a\"]\n", "2:9", "[set]"},
        BadPolicy{"age", "[policy]\nminimum_release_age = 3\n", "2:23", "\"3d\""},
        BadPolicy{"size", "[policy]\nmax_package_size = \"50 mb\"\n", "2:20", "\"50 MB\""},
        BadPolicy{"size_of_nothing", "[policy]\nmax_package_size = 0\n", "2:20", "\"50 MB\""},
        BadPolicy{"runtime", "[policy]\nruntimes = [\"pyton\"]\n", "2:13", "did you mean \"python\"?"},
        BadPolicy{"yanked", "[policy]\nallow_yanked = 0\n", "2:16", "true or false"},
        BadPolicy{"probe", "[policy]\nallow_probe = \"no\"\n", "2:15", "true or false"},
        BadPolicy{"level", "[[policy.verification]]\npackages = [\"*\"]\nminimum_level = \"signed\"\n",
                  "3:17", "\"registry-signed\""},
        BadPolicy{"rule_without_packages", "[[policy.verification]]\nminimum_level = \"digest\"\n",
                  "1:", "packages"},
        BadPolicy{"rules_in_one_table", "[policy.verification]\npackages = [\"*\"]\n",
                  "1:", "[[policy.verification]]"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace curupira::manifest::test
