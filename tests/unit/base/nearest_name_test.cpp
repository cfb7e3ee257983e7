#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace curupira {
namespace {

const std::vector<std::string> known{"title", "number", "repository"};

TEST(NearestName, FindsASwappedPairOfLetters) {
  EXPECT_EQ(nearest_name("titel", known), "title");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("zzzzzz", known), std::nullopt);
}

TEST(NearestName, DoesNotTakeShortNamesForEachOther) {
  EXPECT_EQ(nearest_name("a", std::vector<std::string>{"b"}), std::nullopt);
}

TEST(NearestName, PassesOverVeryLongNames) {
  EXPECT_EQ(nearest_name(std::string(100'000, 'x'), known), std::nullopt);
}

}  // namespace
}  // namespace curupira
