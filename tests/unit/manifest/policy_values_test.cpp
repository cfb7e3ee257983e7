#include "manifest/policy_values.h"

#include <gtest/gtest.h>

namespace curupira::manifest {
namespace {

using std::chrono::seconds;

TEST(PolicyDuration, HasANumberAndAUnit) {
  EXPECT_EQ(parse_duration("30m"), seconds(1800));
  EXPECT_EQ(parse_duration("12h"), seconds(43'200));
  EXPECT_EQ(parse_duration("3d"), seconds(259'200));
  EXPECT_EQ(parse_duration("2w"), seconds(1'209'600));
}

TEST(PolicyDuration, IsNotGuessed) {
  for (const char* text :
       {"", "3", "d", "0d", "-3d", "3 d", "3D", "1.5d", "3days", "99999999999999999999d", "4000d"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(PolicySize, HasANumberAndAUnit) {
  EXPECT_EQ(parse_byte_size("4096 B"), 4096u);
  EXPECT_EQ(parse_byte_size("200kB"), 200'000u);
  EXPECT_EQ(parse_byte_size("50 MB"), 50'000'000u);
  EXPECT_EQ(parse_byte_size("1 GiB"), 1'073'741'824u);
}

TEST(PolicySize, IsNotGuessed) {
  for (const char* text :
       {"", "50", "MB", "0 MB", "-1 MB", "1.5 MB", "50  MB", "50 mb", "50 TB", "9999999999999999999 GB"})
    EXPECT_FALSE(parse_byte_size(text)) << text;
}

}  // namespace
}  // namespace curupira::manifest
