#include "registry/npm_platform.h"

#include <gtest/gtest.h>

namespace curupira::registry {
namespace {

bool admits(std::string_view rule, std::string_view platform) {
  return NpmPlatformRule::read(json::parse(rule).value()).admits(manifest::Platform::parse(platform).value());
}

TEST(NpmPlatform, NoRuleMeansEverywhere) {
  EXPECT_TRUE(admits("{}", "linux-x86_64"));
  EXPECT_TRUE(admits(R"({"os":[],"cpu":["any"]})", "linux-x86_64"));
}

TEST(NpmPlatform, TheNamesOfNode) {
  EXPECT_TRUE(admits(R"({"os":["linux"],"cpu":["x64"]})", "linux-x86_64"));
  EXPECT_TRUE(admits(R"({"cpu":["arm64"]})", "linux-aarch64"));
  EXPECT_TRUE(admits(R"({"os":["darwin"],"cpu":["arm64"]})", "darwin-arm64"));
  EXPECT_FALSE(admits(R"({"os":["darwin","win32"]})", "linux-x86_64"));
  EXPECT_FALSE(admits(R"({"cpu":["arm64"]})", "linux-x86_64"));
}

TEST(NpmPlatform, Exclusions) {
  EXPECT_FALSE(admits(R"({"os":["!linux"]})", "linux-x86_64"));
  EXPECT_TRUE(admits(R"({"os":["!win32"]})", "linux-x86_64"));
}

TEST(NpmPlatform, TheCLibrary) {
  EXPECT_TRUE(admits(R"({"libc":["glibc"]})", "linux-x86_64"));
  EXPECT_FALSE(admits(R"({"libc":["glibc"]})", "linux-x86_64-musl"));
  EXPECT_TRUE(admits(R"({"libc":"musl"})", "linux-x86_64-musl"));
  EXPECT_FALSE(admits(R"({"libc":["glibc"]})", "darwin-arm64"));
}

TEST(NpmPlatform, IsDescribed) {
  const auto rule = NpmPlatformRule::read(json::parse(R"({"os":["darwin"],"cpu":["x64","arm64"]})").value());
  EXPECT_EQ(rule.to_string(), "os darwin, cpu x64 or arm64");
}

}  // namespace
}  // namespace curupira::registry
