#include "runtime/tool_globs.h"

#include <gtest/gtest.h>

namespace curupira::runtime {
namespace {

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
