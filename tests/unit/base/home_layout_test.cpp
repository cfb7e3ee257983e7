#include "base/home_layout.h"

#include <gtest/gtest.h>

namespace curupira {
namespace {

Result<HomeLayout> home_of(std::map<std::string, std::string, std::less<>> variables) {
  return HomeLayout::from(Environment(std::move(variables)));
}

TEST(HomeLayout, CurupiraHomeComesFirst) {
  const auto home = home_of({{"CURUPIRA_HOME", "/srv/curupira/"}, {"HOME", "/home/me"}});
  ASSERT_TRUE(home);
  EXPECT_EQ(home->root, "/srv/curupira");
}

TEST(HomeLayout, ElseAFolderInHome) {
  const auto home = home_of({{"CURUPIRA_HOME", ""}, {"HOME", "/home/me"}});
  ASSERT_TRUE(home);
  EXPECT_EQ(home->root, "/home/me/.curupira");
  EXPECT_EQ(home->trees(), "/home/me/.curupira/store/v1/trees");
}

TEST(HomeLayout, ARelativeOneIsRefusedNotRepaired) {
  const auto home = home_of({{"CURUPIRA_HOME", "curupira"}, {"HOME", "/home/me"}});
  ASSERT_FALSE(home);
  EXPECT_EQ(home.error().code(), ErrorCode::home_unusable);
  EXPECT_NE(home.error().detail().find("CURUPIRA_HOME"), std::string::npos);
}

TEST(HomeLayout, NeitherSet) {
  const auto home = home_of({});
  ASSERT_FALSE(home);
  EXPECT_EQ(home.error().code(), ErrorCode::home_unusable);
}

}  // namespace
}  // namespace curupira
