#include "base/glob.h"

#include <gtest/gtest.h>

namespace curupira {
namespace {

TEST(Globs, Match) {
  EXPECT_TRUE(glob_matches("items", "items"));
  EXPECT_TRUE(glob_matches("it*", "items"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*-*s", "github-issues"));
  EXPECT_TRUE(glob_matches("i?ems", "items"));
  EXPECT_TRUE(glob_matches("[a-k]tems", "items"));
  EXPECT_TRUE(glob_matches("[!a]tems", "items"));
  EXPECT_TRUE(glob_matches("a*b*c", "axbxbyc"));
}

TEST(Globs, DoNotMatchOtherNames) {
  EXPECT_FALSE(glob_matches("item", "items"));
  EXPECT_FALSE(glob_matches("items", "item"));
  EXPECT_FALSE(glob_matches("[!i]tems", "items"));
  EXPECT_FALSE(glob_matches("[a", "a"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("*?", ""));
}

TEST(Globs, OfManyStarsEndInTime) {
  std::string glob;
  for (int n = 0; n < 60; ++n)
    glob += "a*";
  EXPECT_FALSE(glob_matches(glob + "b", std::string(5000, 'a')));
}

TEST(Globs, TakeASlashLikeAnyCharacter) {
  EXPECT_TRUE(glob_matches("archive:https://downloads.example.org/*",
                           "archive:https://downloads.example.org/a/b.zip"));
  EXPECT_TRUE(glob_matches("npm:@acme/*", "npm:@acme/x"));
}

TEST(Globs, AreCompleteWhenEachSetEnds) {
  EXPECT_TRUE(glob_is_complete("a[bc]*[!d]"));
  EXPECT_TRUE(glob_is_complete(""));
  EXPECT_FALSE(glob_is_complete("a[bc"));
  EXPECT_FALSE(glob_is_complete("[a]["));
}

TEST(Globs, OfATextMatchOnlyIt) {
  EXPECT_TRUE(glob_matches(glob_of_text("/a [1]*?"), "/a [1]*?"));
  EXPECT_FALSE(glob_matches(glob_of_text("/a*"), "/ab"));
  EXPECT_FALSE(glob_matches(glob_of_text("[b]"), "b"));
}

}  // namespace
}  // namespace curupira
