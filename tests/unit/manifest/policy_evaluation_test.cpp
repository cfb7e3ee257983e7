#include "manifest/policy_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest/policy_settings.h"

namespace curupira::manifest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Policy policy_of(std::string_view rules) {
  CollectedDiagnostics ignored;
  auto policy = parse_policy("[policy]\n" + std::string(rules), "/etc/acme/settings.toml",
                             {.home = "/home/me", .curupira = "/home/me/.curupira"}, ignored);
  EXPECT_TRUE(policy) << policy.error().summary();
  return policy ? *policy : Policy{};
}

std::vector<ErrorCode> codes_of(const Policy& policy, const PolicyFacts& facts) {
  std::vector<ErrorCode> codes;
  for (const auto& violation : check_extension(policy, facts))
    codes.push_back(violation.code);
  return codes;
}

ReceiptArtifact artifact(const std::string& package, std::uint64_t size,
                         VerificationLevel level = VerificationLevel::digest,
                         const std::string& location = "https://registry.example.org/x.tgz") {
  return {.package = package,
          .version = "1.0.0",
          .location = location,
          .digest = *Digest::from_hex(DigestAlgorithm::sha256, std::string(64, 'a')),
          .size = size,
          .level = level};
}

/// npm:@acme/x, which needs npm:ms.
struct NpmExtension {
  Manifest manifest{.name = "x",
                    .version = "1.0.0",
                    .runtime = Runtime::node,
                    .trigger_types = {"items"},
                    .launch = NpxLaunch{.package = "@acme/x"},
                    .permissions = {"network"}};
  Receipt receipt{
      .name = "x",
      .version = "1.0.0",
      .reference = "npm:@acme/x@^1",
      .source = "npm",
      .package = "@acme/x",
      .launch_type = "npx",
      .artifacts = {artifact("@acme/x", 1000, VerificationLevel::registry_signed), artifact("ms", 500)},
      .content = {},
      .command = {},
      .trees = {}};
  PolicyFacts facts() const { return policy_facts(manifest, receipt); }
};

TEST(PolicyReference, AllowRefusesEverythingElse) {
  const auto policy = policy_of("allow = [\"npm:@acme/*\"]\n");
  EXPECT_FALSE(check_reference(policy, "npm:@acme/x"));
  const auto violation = check_reference(policy, "npm:acme");
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->code, ErrorCode::policy_reference);
  EXPECT_EQ(violation->position.line, 2);
  EXPECT_EQ(violation->rule, "allow [\"npm:@acme/*\"]");
}

TEST(PolicyReference, DenyWins) {
  const auto policy = policy_of("deny = [\"npm:@acme/old-*\"]\nallow = [\"npm:@acme/*\"]\n");
  EXPECT_FALSE(check_reference(policy, "npm:@acme/x"));
  EXPECT_EQ(check_reference(policy, "npm:@acme/old-x")->rule, "deny \"npm:@acme/old-*\"");
}

TEST(PolicyReference, ASourceIsPartOfTheName) {
  EXPECT_TRUE(check_reference(policy_of("allow = [\"npm:x\"]\n"), "pip:x"));
}

TEST(PolicyReference, AStarInAHostDoesNotReachIntoThePath) {
  const auto policy = policy_of("allow = [\"archive:https://*.example.org/*\"]\n");
  EXPECT_FALSE(check_reference(policy, "archive:https://a.example.org/b/c.zip"));
  EXPECT_TRUE(check_reference(policy, "archive:https://evil.example/a.example.org/c.zip"));
  EXPECT_TRUE(check_reference(policy, "archive:http://a.example.org/c.zip"));
}

TEST(PolicyExtension, WithoutRulesIsAllowed) {
  EXPECT_THAT(codes_of(policy_of(""), NpmExtension().facts()), IsEmpty());
}

TEST(PolicyExtension, DependenciesNeedNotBeAllowed) {
  EXPECT_THAT(codes_of(policy_of("allow = [\"npm:@acme/*\"]\n"), NpmExtension().facts()), IsEmpty());
}

TEST(PolicyExtension, DependenciesCanBeDenied) {
  const auto violations = check_extension(policy_of("deny = [\"npm:ms\"]\n"), NpmExtension().facts());
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_THAT(violations[0].found, HasSubstr("npm:ms, which comes with it,"));
}

// npm/cli#8559: what is internal and unsigned must not fail the whole
TEST(PolicyLevel, TheFirstRuleThatMatchesCounts) {
  const std::string all_signed =
      "[[policy.verification]]\npackages = [\"*\"]\nminimum_level = \"registry-signed\"\n";
  const auto strict = check_extension(policy_of(all_signed), NpmExtension().facts());
  ASSERT_EQ(strict.size(), 1u);
  EXPECT_EQ(strict[0].code, ErrorCode::policy_level);
  EXPECT_EQ(strict[0].found, "npm:ms 1.0.0 has digest");
  const std::string exception =
      "[[policy.verification]]\npackages = [\"npm:m*\"]\nminimum_level = \"digest\"\n";
  EXPECT_THAT(codes_of(policy_of(exception + all_signed), NpmExtension().facts()), IsEmpty());
}

TEST(PolicyLevel, OfWhatAnotherProgramInstalledIsNone) {
  const InstalledExtension foreign{.manifest = NpmExtension().manifest, .folder = "/x"};
  const auto policy =
      policy_of("[[policy.verification]]\npackages = [\"npm:*\"]\nminimum_level = \"digest\"\n");
  EXPECT_THAT(codes_of(policy, policy_facts(foreign)), ElementsAre(ErrorCode::policy_level));
}

TEST(PolicySize, IsOfTheWholeClosure) {
  EXPECT_THAT(codes_of(policy_of("max_package_size = 1500\n"), NpmExtension().facts()), IsEmpty());
  const auto violations = check_extension(policy_of("max_package_size = 1499\n"), NpmExtension().facts());
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].code, ErrorCode::policy_size);
  EXPECT_THAT(violations[0].found, HasSubstr("1,500 bytes"));
}

TEST(PolicyPermissions, AreAllNamed) {
  NpmExtension extension;
  extension.manifest.permissions = {"network", "filesystem:read", "filesystem:write"};
  EXPECT_THAT(codes_of(policy_of("permissions = [\"network\", \"filesystem:*\"]\n"), extension.facts()),
              IsEmpty());
  EXPECT_THAT(
      codes_of(policy_of("permissions = []\n"), extension.facts()),
      ElementsAre(ErrorCode::policy_permission, ErrorCode::policy_permission, ErrorCode::policy_permission));
}

TEST(PolicyRuntimes, AreNamed) {
  EXPECT_THAT(codes_of(policy_of("runtimes = [\"node\"]\n"), NpmExtension().facts()), IsEmpty());
  EXPECT_THAT(codes_of(policy_of("runtimes = [\"python\"]\n"), NpmExtension().facts()),
              ElementsAre(ErrorCode::policy_runtime));
}

TEST(PolicyFacts, APackageThatAFolderPointsToIsAskedFor) {
  NpmExtension extension;
  extension.receipt.source = "path";
  extension.receipt.reference = "path:/srv/x";
  const auto facts = extension.facts();
  EXPECT_EQ(facts.reference, "path:/srv/x");
  EXPECT_THAT(codes_of(policy_of("allow = [\"path:*\"]\n"), facts), ElementsAre(ErrorCode::policy_reference));
  EXPECT_THAT(codes_of(policy_of("allow = [\"path:*\", \"npm:@acme/x\"]\n"), facts), IsEmpty());
}

TEST(PolicyFacts, TheAddressOfAProgramIsAskedFor) {
  NpmExtension extension;
  extension.receipt.source = "archive";
  extension.receipt.reference = "https://a.example.org/x.zip#sha256=" + std::string(64, 'a');
  extension.receipt.launch_type = "binary";
  extension.receipt.artifacts = {
      artifact("x.zip", 10, VerificationLevel::digest, "https://a.example.org/x.zip"),
      artifact("x", 20, VerificationLevel::digest, "https://b.example.org/x")};
  const auto violations =
      check_extension(policy_of("allow = [\"archive:https://a.example.org/*\"]\n"), extension.facts());
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_THAT(violations[0].found, HasSubstr("archive:https://b.example.org/x"));
}

TEST(PolicyFacts, PythonNamesAreNormal) {
  NpmExtension extension;
  extension.manifest.launch = UvxLaunch{.package = "Acme_Ext[all]>=1", .executable = "acme"};
  extension.receipt.source = "path";
  extension.receipt.reference = "path:/srv/x";
  extension.receipt.launch_type = "uvx";
  extension.receipt.artifacts = {artifact("Acme.Ext", 10)};
  EXPECT_THAT(codes_of(policy_of("allow = [\"path:*\", \"pip:acme-ext\"]\n"), extension.facts()), IsEmpty());
}

TEST(PolicyError, NamesEachRuleWithItsLine) {
  const auto policy = policy_of("deny = [\"npm:ms\"]\nruntimes = [\"python\"]\n");
  const auto error = policy_error(policy, check_extension(policy, NpmExtension().facts()));
  EXPECT_EQ(error.code(), ErrorCode::policy_reference);
  EXPECT_THAT(error.detail(), HasSubstr("/etc/acme/settings.toml:2: deny \"npm:ms\""));
  EXPECT_THAT(error.detail(), HasSubstr("/etc/acme/settings.toml:3: runtimes [\"python\"]"));
}

}  // namespace
}  // namespace curupira::manifest
