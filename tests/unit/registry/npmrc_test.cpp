#include "registry/npmrc.h"

#include <gtest/gtest.h>

namespace curupira::registry {
namespace {

std::string value_of(std::string_view text, std::string_view key) {
  std::string value = "(none)";
  for (const NpmrcSetting& setting : parse_npmrc(text)) {
    if (setting.key == key) value = setting.value;
  }
  return value;
}

TEST(Npmrc, KeysAndValues) {
  EXPECT_EQ(value_of("registry=https://npm.example.org/\n", "registry"), "https://npm.example.org/");
  EXPECT_EQ(value_of("  registry = https://npm.example.org/ \r\n", "registry"), "https://npm.example.org/");
  EXPECT_EQ(value_of("//npm.example.org/:_authToken=a=b", "//npm.example.org/:_authToken"), "a=b");
}

TEST(Npmrc, CommentsAndQuotes) {
  EXPECT_EQ(value_of("; registry=x\n# registry=y\n", "registry"), "(none)");
  EXPECT_EQ(value_of("a=x ; note", "a"), "x");
  EXPECT_EQ(value_of("a=\"x ; y\"", "a"), "x ; y");
  EXPECT_EQ(value_of("a='x'", "a"), "x");
  EXPECT_EQ(value_of("a=x\\;y", "a"), "x;y");
}

TEST(Npmrc, SectionsListsAndFlagsAreNoSettingsOfOurs) {
  EXPECT_EQ(value_of("[section]\nregistry=x\n", "registry"), "(none)");
  EXPECT_TRUE(parse_npmrc("omit[]=x\nfund\n=x\n").empty());
}

TEST(Npmrc, VariablesAreReplacedAsNpmDoes) {
  Environment environment;
  environment.set("TOKEN", "secret");
  EXPECT_EQ(expand_npmrc("a${TOKEN}b${TOKEN}", environment), "asecretbsecret");
  EXPECT_EQ(expand_npmrc("${UNSET}", environment), "${UNSET}") << "left as it is";
  EXPECT_EQ(expand_npmrc("a${UNSET?}b", environment), "ab");
  EXPECT_EQ(expand_npmrc("\\${TOKEN}", environment), "${TOKEN}");
  EXPECT_EQ(expand_npmrc("\\\\${TOKEN}", environment), "\\secret");
  EXPECT_EQ(expand_npmrc("${}", environment), "${}");
  EXPECT_EQ(expand_npmrc("${A${TOKEN}", environment), "${Asecret");
  EXPECT_EQ(expand_npmrc("$TOKEN", environment), "$TOKEN");
}

}  // namespace
}  // namespace curupira::registry
