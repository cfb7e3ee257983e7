#include "base/relative_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

struct Refused {
  std::string_view text;
  std::string_view reason;
};

class RefusedPath : public testing::TestWithParam<Refused> {};

TEST_P(RefusedPath, SaysWhy) {
  const auto path = RelativePath::parse(GetParam().text);
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().code(), ErrorCode::archive_path);
  EXPECT_THAT(path.error().detail(), StartsWith(std::string(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    RelativePath, RefusedPath,
    testing::Values(
        Refused{"", "the path is empty"}, Refused{"/etc/passwd", "the path is absolute"},
        Refused{"..", "the path contains \"..\""}, Refused{"../x", "the path contains \"..\""},
        Refused{"a/../../x", "the path contains \"..\""}, Refused{"a/..", "the path contains \"..\""},
        Refused{"./../x", "the path contains \"..\""}, Refused{".", "the path contains \".\""},
        Refused{"a/./b", "the path contains \".\""}, Refused{"./.", "the path contains \".\""},
        Refused{"./", "the path has an empty segment"}, Refused{"a//b", "the path has an empty segment"},
        Refused{"a//", "the path has an empty segment"}, Refused{".//etc", "the path has an empty segment"},
        Refused{"a\\..\\b", "the path contains a backslash"},
        Refused{std::string_view("a\0b", 3), "the path contains NUL"},
        Refused{"a/\xff", "the path is not valid UTF-8"},
        Refused{"\xc0\xae\xc0\xae/x", "the path is not valid UTF-8"}));

TEST(RelativePath, KeepsAnOrdinaryPath) {
  const auto path = RelativePath::parse("bin/acme-ext");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->text(), "bin/acme-ext");
  EXPECT_THAT(path->segments(), ElementsAre("bin", "acme-ext"));
  EXPECT_EQ(path->file_name(), "acme-ext");
}

TEST(RelativePath, OfOneSegmentIsItsOwnName) {
  const auto path = RelativePath::parse("package.json");
  ASSERT_TRUE(path);
  EXPECT_THAT(path->segments(), ElementsAre("package.json"));
  EXPECT_EQ(path->file_name(), "package.json");
}

TEST(RelativePath, DropsLeadingDotAndTrailingSlash) {
  const auto path = RelativePath::parse("./package/lib/");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->text(), "package/lib");
}

TEST(RelativePath, NamesWithDotsAreOrdinary) {
  for (const std::string_view text : {"...", "..a", "a..", ".hidden", "a/.../b"}) {
    EXPECT_TRUE(RelativePath::parse(text)) << text;
  }
}

TEST(RelativePath, TakesOtherScripts) {
  EXPECT_TRUE(RelativePath::parse("документы/読.txt"));
}

TEST(RelativePath, LimitsTheLengthOfASegment) {
  EXPECT_TRUE(RelativePath::parse(std::string(255, 'a')));
  const auto path = RelativePath::parse(std::string(256, 'a'));
  ASSERT_FALSE(path);
  EXPECT_THAT(path.error().detail(), StartsWith("a segment of the path is longer than 255 bytes"));
}

TEST(RelativePath, LimitsTheLengthOfTheWhole) {
  std::string text = "a";
  while (text.size() < 4096)
    text += text.size() % 2 == 0 ? 'a' : '/';
  text.back() = 'a';
  EXPECT_TRUE(RelativePath::parse(text));
  const auto path = RelativePath::parse(text + "b");
  ASSERT_FALSE(path);
  EXPECT_THAT(path.error().detail(), StartsWith("the path is longer than 4096 bytes"));
}

TEST(RelativePath, StandsBelowAFolder) {
  const auto path = RelativePath::parse("a/b");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->below("/store"), std::filesystem::path("/store/a/b"));
}

TEST(RelativePath, ErrorQuotesControlCharactersAsEscapes) {
  const auto path = RelativePath::parse("../\x1b[31m");
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().detail(), "the path contains \"..\": \"../\\x1b[31m\"");
}

}  // namespace
}  // namespace curupira
