#include "cli/policy_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "manifest/policy_settings.h"

namespace curupira::cli {
namespace {

using testing::HasSubstr;

manifest::Policy policy_of(std::string_view text) {
  CollectedDiagnostics ignored;
  return manifest::parse_policy(text, "/etc/acme/settings.toml", {.home = "/home/me", .curupira = "/home/me"},
                                ignored)
      .value();
}

PolicyDecision decision_of(const manifest::Policy& policy, const std::string& name) {
  return decide(policy, name, name, std::nullopt);
}

std::string printed(const manifest::Policy& policy, const PolicyDecision& decision) {
  std::istringstream in;
  std::ostringstream out, err;
  Terminal terminal(in, out, err);
  print_decisions(terminal, policy, {decision});
  return out.str();
}

TEST(PolicyText, ShowsWhatAllowsAndWhatIsDecidedLater) {
  const auto policy = policy_of("[policy]\nallow = [\"npm:x\"]\nmax_package_size = \"1 MB\"\n");
  const auto decision = decision_of(policy, "npm:x");
  EXPECT_FALSE(decision.refusal);
  EXPECT_EQ(printed(policy, decision),
            "npm:x: allowed\n    line 2: allow \"npm:x\"\n    line 3: max_package_size of 1.0 MB\n");
}

TEST(PolicyText, ShowsOnlyTheRuleThatRefuses) {
  const auto policy = policy_of("[policy]\ndeny = [\"npm:x\"]\nmax_package_size = \"1 MB\"\n");
  const auto decision = decision_of(policy, "npm:x");
  ASSERT_TRUE(decision.refusal);
  EXPECT_EQ(printed(policy, decision), "npm:x: refused\n    line 2: deny \"npm:x\": npm:x is denied\n");
}

TEST(PolicyText, ShowsARefusalThatCameLater) {
  const auto policy = policy_of("[policy]\npermissions = []\n");
  auto decision = decision_of(policy, "npm:x");
  decision.refusal =
      Error(ErrorCode::policy_permission, "/etc/acme/settings.toml:2: permissions []: it asks");
  EXPECT_THAT(printed(policy, decision), HasSubstr("    CUR-4504: "));
  EXPECT_THAT(printed(policy, decision), HasSubstr("      /etc/acme/settings.toml:2: permissions []"));
}

TEST(PolicyText, SaysThatThereIsNone) {
  const auto policy = policy_of("");
  EXPECT_THAT(printed(policy, decision_of(policy, "npm:x")), HasSubstr("has no [policy]"));
}

TEST(PolicyText, JsonHasTheRulesAndTheError) {
  const auto policy = policy_of("[policy]\ndeny = [\"npm:x\"]\n");
  const auto document = decisions_to_json(policy, {decision_of(policy, "npm:x")});
  EXPECT_THAT(json::write(document),
              HasSubstr("\"effect\":\"refuses\",\"rule\":\"deny \\\"npm:x\\\"\",\"line\":2"));
  EXPECT_THAT(json::write(document), HasSubstr("\"code\":\"CUR-4501\""));
}

}  // namespace
}  // namespace curupira::cli
