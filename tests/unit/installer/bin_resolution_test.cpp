#include "installer/bin_resolution.h"

#include <gtest/gtest.h>

namespace curupira::installer {
namespace {

PackageJson package_of(std::string_view json) {
  auto package = parse_package_json(json, "package.json");
  EXPECT_TRUE(package) << package.error().detail();
  return package ? *package : PackageJson{};
}

std::string chosen(std::string_view json, const std::optional<std::string>& wanted = std::nullopt) {
  const auto bin = choose_bin(package_of(json), wanted);
  return bin ? bin->command + "=" + bin->path.text() : std::string(error_info(bin.error().code()).name);
}

TEST(ChooseBin, TheOnlyOneWhateverItsName) {
  EXPECT_EQ(chosen(R"({"name": "@acme/x", "bin": {"other": "./cli.js"}})"), "other=cli.js");
}

TEST(ChooseBin, TheStringFormIsNamedLikeThePackage) {
  EXPECT_EQ(chosen(R"({"name": "@acme/x", "bin": "bin/x.js"})"), "x=bin/x.js");
}

TEST(ChooseBin, AnyWhenAllAreOneFile) {
  EXPECT_EQ(chosen(R"({"name": "p", "bin": {"a": "cli.js", "b": "cli.js"}})"), "a=cli.js");
}

TEST(ChooseBin, TheOneNamedLikeThePackageWithoutScope) {
  EXPECT_EQ(chosen(R"({"name": "@acme/x", "bin": {"a": "a.js", "x": "x.js"}})"), "x=x.js");
}

TEST(ChooseBin, SeveralOthersAreAmbiguousAndListed) {
  const auto bin =
      choose_bin(package_of(R"({"name": "p", "bin": {"a": "a.js", "b": "b.js"}})"), std::nullopt);
  ASSERT_FALSE(bin);
  EXPECT_EQ(bin.error().code(), ErrorCode::bin_ambiguous);
  EXPECT_NE(bin.error().detail().find("a, b"), std::string::npos);
}

TEST(ChooseBin, TheManifestMayNameOne) {
  EXPECT_EQ(chosen(R"({"name": "p", "bin": {"a": "a.js", "b": "b.js"}})", "b"), "b=b.js");
  EXPECT_EQ(chosen(R"({"name": "p", "bin": {"a": "a.js"}})", "c"), "bin_not_found");
}

TEST(ChooseBin, NoneAtAll) {
  EXPECT_EQ(chosen(R"({"name": "p"})"), "bin_not_found");
  EXPECT_EQ(chosen(R"({"name": "p", "bin": {}})"), "bin_not_found");
}

TEST(ChooseBin, PathsThatLeaveThePackage) {
  EXPECT_EQ(chosen(R"({"name": "p", "bin": "../x"})"), "bin_not_found");
  EXPECT_EQ(chosen(R"({"name": "p", "bin": "/bin/sh"})"), "bin_not_found");
}

TEST(PackageJson, SeesDependencies) {
  EXPECT_FALSE(
      package_of(R"({"name": "p", "dependencies": {}, "devDependencies": {"a": "1"}})").has_dependencies);
  EXPECT_TRUE(package_of(R"({"name": "p", "dependencies": {"a": "1"}})").has_dependencies);
  EXPECT_TRUE(package_of(R"({"name": "p", "optionalDependencies": {"a": "1"}})").has_dependencies);
}

TEST(PackageJson, ReadsWhatNpmReads) {
  EXPECT_EQ(package_of("\xEF\xBB\xBF{\"name\": \"p\", \"version\": \" v1.2.3\"}").version, "1.2.3");
}

TEST(PackageJson, RefusesWhatIsNoObject) {
  for (const std::string text : {"[]", "", "{", "null"})
    EXPECT_FALSE(parse_package_json(text, "package.json")) << text;
}

}  // namespace
}  // namespace curupira::installer
