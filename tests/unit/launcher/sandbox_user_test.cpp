#include "launcher/sandbox_user.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace curupira::launcher {
namespace {

TEST(SandboxUser, IsTheOnlyOne) {
  const UserFiles files = user_files(1000, 100, "/tmp/home");
  EXPECT_EQ(files.passwd, "user:x:1000:100:user:/tmp/home:/bin/sh\n");
  EXPECT_EQ(files.group, "user:x:100:\n");
}

TEST(SandboxUser, NumberZeroIsRoot) {
  const UserFiles files = user_files(0, 0, "/tmp/home");
  EXPECT_EQ(files.passwd, "root:x:0:0:root:/tmp/home:/bin/sh\n");
  EXPECT_EQ(files.group, "root:x:0:\n");
}

TEST(SandboxUser, AHomeThatWouldMakeOtherFieldsIsLeftOut) {
  EXPECT_EQ(user_files(1000, 100, "/tmp/a:b").passwd, "user:x:1000:100:user:/:/bin/sh\n");
  EXPECT_EQ(user_files(1000, 100, "/tmp/a\nb").passwd, "user:x:1000:100:user:/:/bin/sh\n");
}

TEST(SandboxUser, TheFileInMemoryIsReadFromItsBeginning) {
  const auto file = to_descriptor(std::string_view("text"));
  ASSERT_TRUE(file);
  char buffer[16];
  EXPECT_EQ(::read(file->get(), buffer, sizeof buffer), 4);
}

}  // namespace
}  // namespace curupira::launcher
