#include "registry/package_lock.h"

#include <gtest/gtest.h>

#include "registry/limits.h"

namespace curupira::registry {
namespace {

std::string lock(std::string_view packages) {
  return R"({"lockfileVersion":3,"packages":{"":{"dependencies":{}},)" + std::string(packages) + "}}";
}

Result<std::vector<LockedPackage>> read(std::string_view packages,
                                        std::string_view platform = "linux-x86_64") {
  return read_package_lock(lock(packages), manifest::Platform::parse(platform).value());
}

/// "location=name@version" of each package.
std::vector<std::string> listed(std::string_view packages, std::string_view platform = "linux-x86_64") {
  std::vector<std::string> list;
  const auto locked = read(packages, platform);
  if (!locked) return {error_name(locked.error().code()) + " " + locked.error().detail()};
  for (const LockedPackage& package : *locked)
    list.push_back(package.location.text() + "=" + package.label());
  return list;
}

ErrorCode code_of(std::string_view packages) {
  const auto locked = read(packages);
  return locked ? ErrorCode::internal : locked.error().code();
}

using Strings = std::vector<std::string>;

TEST(PackageLock, PackagesSortedByPlace) {
  EXPECT_EQ(
      listed(
          R"("node_modules/b":{"version":"1.0.0","resolved":"https://npm.example.org/b.tgz","integrity":"i"},
                      "node_modules/@acme/a":{"version":"2.0.0"},
                      "node_modules/b/node_modules/@acme/a":{"version":"1.0.0"})"),
      (Strings{"node_modules/@acme/a=@acme/a@2.0.0", "node_modules/b=b@1.0.0",
               "node_modules/b/node_modules/@acme/a=@acme/a@1.0.0"}));
}

TEST(PackageLock, AnAliasHasItsRealName) {
  EXPECT_EQ(listed(R"("node_modules/a":{"name":"@acme/real","version":"1.0.0"})"),
            Strings{"node_modules/a=@acme/real@1.0.0"});
}

TEST(PackageLock, OldNamesWithUpperCaseAreInTrees) {
  EXPECT_EQ(listed(R"("node_modules/JSONStream":{"version":"1.0.0"})"),
            Strings{"node_modules/JSONStream=JSONStream@1.0.0"});
}

TEST(PackageLock, WhatIsInATarballOrForDevelopmentIsLeftOut) {
  EXPECT_EQ(listed(R"("node_modules/a":{"version":"1.0.0"},
                      "node_modules/a/node_modules/b":{"version":"1.0.0","inBundle":true},
                      "node_modules/c":{"version":"1.0.0","dev":true})"),
            Strings{"node_modules/a=a@1.0.0"});
}

// npm/cli#4828: platform packages vanish from the lock. All are in npm's file; each platform takes its own.
TEST(PackageLock, OptionalPackagesOfOtherPlatformsAreLeftOutWithTheirOwn) {
  const std::string_view packages =
      R"("node_modules/native-linux":{"version":"1.0.0","optional":true,"os":["linux"],"cpu":["x64"]},
      "node_modules/native-mac":{"version":"1.0.0","optional":true,"os":["darwin"]},
      "node_modules/native-mac/node_modules/d":{"version":"1.0.0","optional":true},
      "node_modules/native-musl":{"version":"1.0.0","optional":true,"libc":["musl"]})";
  EXPECT_EQ(listed(packages), Strings{"node_modules/native-linux=native-linux@1.0.0"});
  EXPECT_EQ(listed(packages, "darwin-arm64"), (Strings{"node_modules/native-mac=native-mac@1.0.0",
                                                       "node_modules/native-mac/node_modules/d=d@1.0.0"}));
}

TEST(PackageLock, ANeededPackageOfAnotherPlatformIsAnError) {
  const auto locked = read(R"("node_modules/a":{"version":"1.0.0","os":["darwin"]})");
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code(), ErrorCode::platform_missing);
  EXPECT_NE(locked.error().detail().find("a@1.0.0 is for os darwin, this machine is linux-x86_64"),
            std::string::npos);
}

TEST(PackageLock, WhatDoesNotComeFromARegistryIsUnsafe) {
  for (const char* entry :
       {R"({"version":"1.0.0","resolved":"git+ssh://git@example.org/a.git#0123"})",
        R"({"version":"1.0.0","resolved":"file:../a.tgz"})", R"({"version":"1.0.0","resolved":"../a"})",
        R"({"resolved":"../a","link":true})", R"({"version":"1.0.0","link":true})",
        R"({"resolved":"https://x.example.org/a"})"}) {
    EXPECT_EQ(code_of("\"node_modules/a\":" + std::string(entry)), ErrorCode::resolution_unsafe) << entry;
  }
}

TEST(PackageLock, PlacesOutsideNodeModulesAreRefused) {
  for (const char* place :
       {"../a", "node_modules/../a", "/node_modules/a", "packages/a", "node_modules", "node_modules/@acme",
        "node_modules/a/b", "node_modules/a/node_modules", "node_modules/.bin",
        "node_modules/a//node_modules/b", "./node_modules/a", "node_modules/a/", "node_modules/a b",
        "node_modules/node_modules/a", "node_modules/@a/node_modules/b", "node_modules/a\\\\b",
        "node_modules/\\u0000"}) {
    EXPECT_EQ(code_of("\"" + std::string(place) + R"(":{"version":"1.0.0"})"),
              ErrorCode::resolution_unreadable)
        << place;
  }
}

TEST(PackageLock, APackageInOneThatIsNotThereIsRefused) {
  EXPECT_EQ(code_of(R"("node_modules/a/node_modules/b":{"version":"1.0.0"})"),
            ErrorCode::resolution_unreadable);
}

TEST(PackageLock, BadVersionsAndNamesAreRefused) {
  EXPECT_EQ(code_of(R"("node_modules/a":{"version":"1.0"})"), ErrorCode::resolution_unreadable);
  EXPECT_EQ(code_of(R"("node_modules/a":{"version":"1.0.0/../.."})"), ErrorCode::resolution_unreadable);
  EXPECT_EQ(code_of(R"("node_modules/a":{"version":"1.0.0","name":"../b"})"),
            ErrorCode::resolution_unreadable);
}

TEST(PackageLock, OtherFormatsAreRefused) {
  const auto platform = manifest::Platform::parse("linux-x86_64").value();
  for (const char* text : {"", "[]", "{}", R"({"lockfileVersion":1,"packages":{}})",
                           R"({"lockfileVersion":3})", R"({"lockfileVersion":3,"packages":[]})",
                           R"({"lockfileVersion":3,"packages":{"node_modules/a":1}})"}) {
    const auto locked = read_package_lock(text, platform);
    ASSERT_FALSE(locked) << text;
    EXPECT_EQ(locked.error().code(), ErrorCode::resolution_unreadable) << text;
  }
}

TEST(PackageLock, IsBounded) {
  std::string packages = R"("node_modules/p":{"version":"1.0.0"})";
  for (std::size_t i = 0; i <= Limits::max_closure_packages; ++i)
    packages += ",\"node_modules/p" + std::to_string(i) + "\":{}";
  const auto locked = read(packages);
  ASSERT_FALSE(locked);
  EXPECT_NE(locked.error().detail().find(std::to_string(Limits::max_closure_packages)), std::string::npos);
}

}  // namespace
}  // namespace curupira::registry
