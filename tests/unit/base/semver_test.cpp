#include "base/semver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SemVer version(std::string_view text) {
  return SemVer::parse(text).value();
}

TEST(SemVer, ReadsAllParts) {
  const SemVer read = version("1.22.333-rc.1.x-y+build.07");
  EXPECT_EQ(read.major(), 1u);
  EXPECT_EQ(read.minor(), 22u);
  EXPECT_EQ(read.patch(), 333u);
  EXPECT_THAT(read.prerelease(), ElementsAre("rc", "1", "x-y"));
  EXPECT_EQ(read.build(), "build.07");
}

TEST(SemVer, WritesWhatItRead) {
  for (const std::string_view text : {"0.0.0", "1.2.3", "1.2.3-rc.1", "1.2.3+b", "1.2.3-0.a+b.1",
                                      "1.0.0--.-1", "18446744073709551615.0.0", "1.0.0+a-b", "1.0.0-a--b"}) {
    EXPECT_EQ(version(text).to_string(), text);
  }
}

TEST(SemVer, RefusesOtherTexts) {
  for (const std::string_view text : {"",           "1",
                                      "1.2",        "1.2.3.4",
                                      "v1.2.3",     "=1.2.3",
                                      " 1.2.3",     "1.2.3 ",
                                      "01.2.3",     "1.02.3",
                                      "1.2.03",     "1.2.x",
                                      "1.2.-3",     "1.2.3-",
                                      "1.2.3-a..b", "1.2.3-01",
                                      "1.2.3-a_b",  "1.2.3+",
                                      "1.2.3+a+b",  "1.2.3+a..b",
                                      "+1.2.3",     "18446744073709551616.0.0",
                                      "1..3",       "1.2.3-ä",
                                      "1.2.3\n",    "*",
                                      "^1.2.3"}) {
    const auto read = SemVer::parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code(), ErrorCode::version_not_found);
  }
}

TEST(SemVer, SaysWhatIsWrong) {
  EXPECT_EQ(SemVer::parse("1.02.3").error().detail(),
            "\"1.02.3\" is not a semantic version: a number starts with 0");
}

TEST(SemVer, LimitsItsLength) {
  EXPECT_TRUE(SemVer::parse("1.2.3-" + std::string(250, 'a')));
  const auto read = SemVer::parse("1.2.3-" + std::string(251, 'a'));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().detail(), HasSubstr("longer than 256 characters"));
}

TEST(SemVer, PrecedenceOfTheSpecification) {
  // semver.org, §11.4.
  const std::string_view ascending[] = {"1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
                                        "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",       "1.0.0",
                                        "1.0.1",        "1.1.0",         "1.10.0",           "2.0.0"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t k = 0; k < std::size(ascending); ++k) {
      EXPECT_EQ(version(ascending[i]) <=> version(ascending[k]), i <=> k)
          << ascending[i] << " " << ascending[k];
    }
  }
}

TEST(SemVer, LongNumbersOfAPreReleaseCompareAsNumbers) {
  EXPECT_LT(version("1.0.0-99999999999999999999"), version("1.0.0-100000000000000000000"));
}

TEST(SemVer, NumbersComeBeforeWords) {
  EXPECT_LT(version("1.0.0-999"), version("1.0.0-a"));
}

TEST(SemVer, BuildMetadataDoesNotCount) {
  EXPECT_EQ(version("1.0.0+a"), version("1.0.0+b"));
}

}  // namespace
}  // namespace curupira
