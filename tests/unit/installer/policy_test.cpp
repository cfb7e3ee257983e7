#include "installer/policy.h"

#include <gtest/gtest.h>

#include "tests/unit/installer/receipts.h"

namespace curupira::installer {
namespace {

using registry::parse_reference;

manifest::Policy allowing(const std::string& pattern) {
  manifest::Policy policy;
  policy.file = "/etc/acme/settings.toml";
  policy.allow = {{.text = pattern, .glob = pattern, .position = {.line = 2, .column = 10}}};
  policy.allow_position = {.line = 2, .column = 9};
  return policy;
}

Result<> check(const manifest::Policy& policy, std::string_view reference) {
  const auto parsed = parse_reference(reference).value();
  return check_references(policy, std::span(&parsed, 1), "/srv/own");
}

TEST(PolicyOfReferences, DoesNotLookAtVersions) {
  const auto policy = allowing("npm:@acme/x");
  EXPECT_TRUE(check(policy, "npm:@acme/x"));
  EXPECT_TRUE(check(policy, "npm:@acme/x@^1.2"));
  EXPECT_FALSE(check(policy, "npm:@acme/y"));
}

TEST(PolicyOfReferences, KnowsPythonPackagesByTheirNormalName) {
  EXPECT_TRUE(check(allowing("pip:acme-x"), "pip:Acme_X>=1"));
}

TEST(PolicyOfReferences, KnowsPathsByWhatTheyLeadTo) {
  const auto policy = allowing("path:/srv/own/*");
  EXPECT_TRUE(check(policy, "path:x/"));
  EXPECT_TRUE(check(policy, "path:/srv/own/y/../x"));
  EXPECT_FALSE(check(policy, "path:../x"));
  EXPECT_FALSE(check(policy, "path:/srv/own/../x"));
}

TEST(PolicyOfReferences, DoesNotLookAtDigests) {
  const std::string digest = "#sha256=" + std::string(64, 'a');
  EXPECT_TRUE(check(allowing("archive:https://downloads.example.org/x.zip"),
                    "https://downloads.example.org/x.zip" + digest));
  EXPECT_TRUE(check(allowing("archive:/srv/own/x.zip"), "./x.zip" + digest));
}

TEST(PolicyOfReferences, ALoginInAUrlIsNoHost) {
  const auto reference =
      parse_reference("https://downloads.example.org@evil.example/x.zip#sha256=" + std::string(64, 'a'));
  if (!reference) return;  // refused as it is
  EXPECT_FALSE(
      check_references(allowing("archive:https://downloads.example.org/*"), std::span(&*reference, 1), "/"));
}

TEST(PolicyOfReferences, NamesTheRuleAndItsLine) {
  const auto checked = check(allowing("npm:@acme/*"), "npm:x");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), ErrorCode::policy_reference);
  EXPECT_EQ(checked.error().detail(),
            "/etc/acme/settings.toml:2: allow [\"npm:@acme/*\"]: npm:x is none of these");
}

registry::Artifact artifact_of(std::optional<std::uint64_t> size) {
  return {.package = "x",
          .version = {},
          .file_name = "x.tgz",
          .location = *Url::parse("https://registry.example.org/x.tgz"),
          .proof = {.any_of = {}, .size = size}};
}

TEST(PolicyOfSizes, PromisesAreAddedUpBeforeAnythingIsFetched) {
  manifest::Policy policy;
  policy.max_package_size = manifest::MaxPackageSize{.bytes = 100, .position = {.line = 2, .column = 1}};
  const std::vector fits{artifact_of(60), artifact_of(std::nullopt), artifact_of(40)};
  EXPECT_TRUE(check_promised_size(policy, fits));
  const std::vector large{artifact_of(60), artifact_of(41)};
  EXPECT_EQ(check_promised_size(policy, large).error().code(), ErrorCode::policy_size);
  const std::vector lying{artifact_of(60), artifact_of(~std::uint64_t{0})};
  EXPECT_EQ(check_promised_size(policy, lying).error().code(), ErrorCode::policy_size);
}

TEST(PolicyOfSizes, ADownloadStopsAtThePolicysLimit) {
  manifest::Policy policy;
  const FetchLimits limits{.max_artifact = 1000};
  EXPECT_EQ(limits_under(policy, limits).max_artifact, 1000u);
  EXPECT_EQ(explain_limit(policy, limits, Error(ErrorCode::artifact_too_large)).code(),
            ErrorCode::artifact_too_large);
  policy.max_package_size = manifest::MaxPackageSize{.bytes = 100, .position = {.line = 2, .column = 1}};
  EXPECT_EQ(limits_under(policy, limits).max_artifact, 100u);
  EXPECT_EQ(explain_limit(policy, limits, Error(ErrorCode::artifact_too_large)).code(),
            ErrorCode::policy_size);
  EXPECT_EQ(explain_limit(policy, limits, Error(ErrorCode::tls_failed)).code(), ErrorCode::tls_failed);
}

TEST(PolicyOfPrepared, SeesTheManifestAndTheReceipt) {
  const auto receipt = test::receipt_of("x");
  manifest::Manifest manifest{.name = "x",
                              .version = "1.0.0",
                              .trigger_types = {"items"},
                              .launch = manifest::ExecutableLaunch{.program = "sh"}};
  manifest.permissions = {"network"};
  manifest::Policy policy;
  EXPECT_TRUE(check_prepared(policy, manifest, receipt));
  policy.permissions = manifest::AllowedNames{.globs = {"filesystem"}, .position = {.line = 3, .column = 1}};
  const auto checked = check_prepared(policy, manifest, receipt);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), ErrorCode::policy_permission);
}

}  // namespace
}  // namespace curupira::installer
