#include "installer/agreement.h"

#include <gtest/gtest.h>

namespace curupira::installer {
namespace {

manifest::Manifest npx(std::string name = "x", std::string version = "1.2.3") {
  return {.name = std::move(name),
          .version = std::move(version),
          .runtime = manifest::Runtime::node,
          .trigger_types = {"items"},
          .launch = manifest::NpxLaunch{.package = "@acme/x"}};
}

manifest::Manifest uvx(std::string version = "1.2.3") {
  return {.name = "acme-ext",
          .version = std::move(version),
          .runtime = manifest::Runtime::python,
          .trigger_types = {"items"},
          .launch = manifest::UvxLaunch{.package = "Acme_Ext", .executable = "acme-ext"}};
}

const ResolvedPackage resolved_npm{.source = "npm", .package = "@acme/x", .version = "1.2.3"};
const ResolvedPackage resolved_pip{.source = "pip", .package = "acme-ext", .version = "1.2.3"};

ErrorCode refusal(const manifest::Manifest& manifest, const ResolvedPackage& resolved) {
  const auto agreed = check_agreement(manifest, resolved);
  return agreed ? ErrorCode::internal : agreed.error().code();
}

TEST(Agreement, Holds) {
  EXPECT_EQ(refusal(npx(), resolved_npm), ErrorCode::internal);
  EXPECT_EQ(refusal(uvx(), resolved_pip), ErrorCode::internal) << "names are compared as PEP 503 says";
}

TEST(Agreement, AnotherVersionShowsBoth) {
  const auto agreed = check_agreement(npx("x", "1.2.4"), resolved_npm);
  ASSERT_FALSE(agreed);
  EXPECT_EQ(agreed.error().code(), ErrorCode::manifest_mismatch);
  EXPECT_NE(agreed.error().detail().find("1.2.4"), std::string::npos);
  EXPECT_NE(agreed.error().detail().find("1.2.3"), std::string::npos);
}

TEST(Agreement, AnotherPackage) {
  auto manifest = npx();
  manifest.launch = manifest::NpxLaunch{.package = "@evil/x"};
  EXPECT_EQ(refusal(manifest, resolved_npm), ErrorCode::manifest_mismatch);
}

TEST(Agreement, AnotherVersionOfTheLaunchTable) {
  auto manifest = npx();
  manifest.launch = manifest::NpxLaunch{.package = "@acme/x", .version = "2.0.0"};
  EXPECT_EQ(refusal(manifest, resolved_npm), ErrorCode::manifest_mismatch);
}

TEST(Agreement, AnotherNameInThePackageTable) {
  auto manifest = npx();
  manifest.package = manifest::PackageRef{.source = "npm", .name = "other"};
  EXPECT_EQ(refusal(manifest, resolved_npm), ErrorCode::manifest_mismatch);
}

TEST(Agreement, TheLaunchTypeFitsTheSource) {
  EXPECT_EQ(refusal(uvx(), resolved_npm), ErrorCode::manifest_mismatch);
  EXPECT_EQ(refusal(npx(), resolved_pip), ErrorCode::manifest_mismatch);
}

TEST(Agreement, APrintedManifestIsNamedLikeItsPackage) {
  auto resolved = resolved_npm;
  resolved.probed = true;
  EXPECT_EQ(refusal(npx("x"), resolved), ErrorCode::internal);
  EXPECT_EQ(refusal(npx("acme-x"), resolved), ErrorCode::internal);
  EXPECT_EQ(refusal(npx("other"), resolved), ErrorCode::manifest_mismatch);
  resolved.probed = false;
  EXPECT_EQ(refusal(npx("other"), resolved), ErrorCode::internal)
      << "a file in the package may choose its name";
}

TEST(SameVersion, OfPython) {
  for (const auto& [a, b] :
       std::vector<std::pair<std::string, std::string>>{{"1.2.0", "1.2"},
                                                        {"1.0.0-rc.1", "1.0.0rc1"},
                                                        {"1.0.0-alpha.2", "1.0a2"},
                                                        {"1.0.0-beta1", "1.0.0b1"},
                                                        {"1.0.0+local.1", "1.0.0+local.1"},
                                                        {"2.0.0", "2"},
                                                        {"0.0.0", "0"}})
    EXPECT_TRUE(same_version("pip", a, b)) << a << " " << b;
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{{"1.2.0", "1.2.1"},
                                                                             {"1.0.0-rc.1", "1.0.0"},
                                                                             {"1.0.0rc1", "1.0.0rc2"},
                                                                             {"10.0", "1.0.0"},
                                                                             {"1.0.0+a", "1.0.0"}})
    EXPECT_FALSE(same_version("pip", a, b)) << a << " " << b;
}

TEST(SameVersion, OfNode) {
  EXPECT_TRUE(same_version("npm", "1.0.0+build", "1.0.0"));
  EXPECT_FALSE(same_version("npm", "1.0.0-rc.1", "1.0.0"));
  EXPECT_FALSE(same_version("npm", "1.0", "1.0.0"));
}

}  // namespace
}  // namespace curupira::installer
