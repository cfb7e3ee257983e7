#include "runtime/tool_globs.h"

#include <gtest/gtest.h>

namespace curupira::runtime {
namespace {

TEST(ToolGlobs, Match) {
  EXPECT_TRUE(glob_matches("items", "items"));
  EXPECT_TRUE(glob_matches("it*", "items"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*-*s", "github-issues"));
  EXPECT_TRUE(glob_matches("i?ems", "items"));
  EXPECT_TRUE(glob_matches("[a-k]tems", "items"));
  EXPECT_TRUE(glob_matches("[!a]tems", "items"));
  EXPECT_TRUE(glob_matches("a*b*c", "axbxbyc"));
}

TEST(ToolGlobs, DoNotMatchOtherNames) {
  EXPECT_FALSE(glob_matches("item", "items"));
  EXPECT_FALSE(glob_matches("items", "item"));
  EXPECT_FALSE(glob_matches("[!i]tems", "items"));
  EXPECT_FALSE(glob_matches("[a", "a"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("*?", ""));
}

TEST(ToolGlobs, OfManyStarsEndInTime) {
  std::string glob;
  for (int n = 0; n < 60; ++n)
    glob += "a*";
  EXPECT_FALSE(glob_matches(glob + "b", std::string(5000, 'a')));
}

TEST(Tools, AllowAllWhenEmpty) {
  EXPECT_TRUE(tools_allow({}, "items"));
}

TEST(Tools, AllowWhatOneGlobMatches) {
  EXPECT_TRUE(tools_allow({"x*", "it*"}, "items"));
  EXPECT_FALSE(tools_allow({"x*"}, "items"));
}

TEST(Tools, ExcludeBehindAnExclamationMark) {
  EXPECT_FALSE(tools_allow({"*", "!items"}, "items"));
  EXPECT_FALSE(tools_allow({"!items", "*"}, "items"));
  EXPECT_TRUE(tools_allow({"!other"}, "items"));
}

}  // namespace
}  // namespace curupira::runtime
