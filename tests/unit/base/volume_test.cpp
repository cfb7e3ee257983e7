#include "base/volume.h"

#include <gtest/gtest.h>

namespace curupira {
namespace {

TEST(Volume, OfAFolderThatIsThere) {
  const auto volume = volume_of("/");
  ASSERT_TRUE(volume);
  EXPECT_FALSE(volume->type.empty());
  EXPECT_FALSE(volume->no_programs);  // else nothing would run here
}

TEST(Volume, OfNothing) {
  const auto volume = volume_of("/does/not/exist");
  ASSERT_FALSE(volume);
  EXPECT_EQ(volume.error().code(), ErrorCode::file_failed);
  EXPECT_NE(volume.error().detail().find("/does/not/exist"), std::string::npos);
}

}  // namespace
}  // namespace curupira
