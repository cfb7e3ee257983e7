#include "registry/version_range.h"

#include <gtest/gtest.h>

#include "registry/limits.h"

namespace curupira::registry {
namespace {

/// What a range says of a version. The expectations are npm's own answers.
struct Case {
  const char* range;
  const char* version;
  bool contained;
};

class RangeContains : public ::testing::TestWithParam<Case> {};

TEST_P(RangeContains, AsNpmSays) {
  const auto range = VersionRange::parse(GetParam().range);
  ASSERT_TRUE(range) << GetParam().range;
  EXPECT_EQ(range->contains(SemVer::parse(GetParam().version).value()), GetParam().contained)
      << GetParam().range << " " << GetParam().version;
}

constexpr Case cases[] = {
    {"1.2.3", "1.2.3", true},
    {"1.2.3", "1.2.4", false},
    {"=1.2.3", "1.2.3", true},
    {"v1.2.3", "1.2.3", true},
    {"1.2.3", "1.2.3+build", true},
    {"1.2.3+x", "1.2.3", true},
    {"", "1.0.0", true},
    {"*", "0.0.1", true},
    {"x", "9.9.9", true},
    {"*", "1.0.0-rc.1", false},
    {"1", "1.9.9", true},
    {"1", "2.0.0", false},
    {"1.x", "1.0.0", true},
    {"1.2", "1.2.9", true},
    {"1.2.*", "1.3.0", false},
    {"1.x.x", "1.3.0", true},
    {"^1.2.3", "1.9.0", true},
    {"^1.2.3", "1.2.2", false},
    {"^1.2.3", "2.0.0", false},
    {"^1.2.3", "2.0.0-alpha", false},
    {"^0.2.3", "0.2.9", true},
    {"^0.2.3", "0.3.0", false},
    {"^0.0.3", "0.0.3", true},
    {"^0.0.3", "0.0.4", false},
    {"^0", "0.9.0", true},
    {"^0", "1.0.0", false},
    {"^0.0", "0.0.9", true},
    {"^0.0", "0.1.0", false},
    {"^1.x", "1.5.0", true},
    {"^1.2.3-rc.1", "1.2.3-rc.2", true},
    {"^1.2.3-rc.1", "1.2.3", true},
    {"^1.2.3-rc.1", "1.2.4-rc.1", false},
    {"~1.2.3", "1.2.9", true},
    {"~1.2.3", "1.3.0", false},
    {"~1.2", "1.2.0", true},
    {"~1", "1.9.0", true},
    {"~1", "2.0.0", false},
    {"~>1.2", "1.2.5", true},
    {"~ 1.2", "1.2.5", true},
    {">1.2", "1.2.9", false},
    {">1.2", "1.3.0", true},
    {">1", "1.9.9", false},
    {">1", "2.0.0", true},
    {">=1.2", "1.2.0", true},
    {"<1.2", "1.1.9", true},
    {"<1.2", "1.2.0", false},
    {"<1.2", "1.2.0-rc.1", false},
    {"<=1.2", "1.2.9", true},
    {"<=1", "1.9.9", true},
    {"<=1", "2.0.0", false},
    {">= 1.0.0 < 2", "1.5.0", true},
    {">=1.0.0 <2", "2.0.0", false},
    {">*", "1.0.0", false},
    {">=*", "1.0.0", true},
    {"1.2 - 2.3", "2.3.9", true},
    {"1.2 - 2.3", "2.4.0", false},
    {"1.2.3 - 2.0.0", "2.0.0", true},
    {"1.2.3 - 2.0.0", "1.2.2", false},
    {"1 - *", "7.0.0", true},
    {"1.0.0 || 3", "3.1.0", true},
    {"1.0.0 || 3", "2.0.0", false},
    {"1.0.0||", "5.0.0", true},
    {">1.2.3-alpha.3", "1.2.3-alpha.7", true},
    {">1.2.3-alpha.3", "3.4.5-alpha.9", false},
    {">1.2.3-alpha.3", "3.4.5", true},
};

INSTANTIATE_TEST_SUITE_P(Npm, RangeContains, ::testing::ValuesIn(cases));

TEST(VersionRange, RefusesWhatIsNoRange) {
  for (const char* text : {"latest", "1.2.3.4", "1.x.5", "^^1", ">=", "1..2", "01.2.3", "1.2.-3", "1.2.3-",
                           "a.b.c", "1 -", "- 1", "!1", "1,2", "99999999999999999999",
                           "^99999999999999999999.0.0", "=>1", "1.2.3 - ", "git://x"}) {
    EXPECT_FALSE(VersionRange::parse(text)) << text;
  }
}

TEST(VersionRange, IsBounded) {
  std::string text = "1";
  while (text.size() <= Limits::max_range_bytes)
    text += "||1";
  EXPECT_FALSE(VersionRange::parse(text));
}

TEST(VersionRange, KnowsWhenItIsOneVersion) {
  EXPECT_EQ(VersionRange::parse("=1.2.3")->exact(), SemVer::parse("1.2.3").value());
  EXPECT_FALSE(VersionRange::parse("1.2")->exact());
  EXPECT_FALSE(VersionRange::parse("1.2.3 || 1.2.4")->exact());
}

}  // namespace
}  // namespace curupira::registry
