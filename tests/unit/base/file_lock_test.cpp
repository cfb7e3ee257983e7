#include "base/file_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

#include "tests/support/temporary_folder.h"

namespace curupira {
namespace {

using Mode = FileLock::Mode;

class FileLockTest : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "a.lock";
};

TEST_F(FileLockTest, ExclusiveKeepsOthersOut) {
  const auto held = FileLock::acquire(path_, Mode::exclusive);
  ASSERT_TRUE(held);
  const auto second = FileLock::try_acquire(path_, Mode::shared);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->has_value());
}

TEST_F(FileLockTest, SharedOnesStandTogetherAndKeepExclusiveOut) {
  const auto first = FileLock::acquire(path_, Mode::shared);
  ASSERT_TRUE(first);
  EXPECT_TRUE(FileLock::try_acquire(path_, Mode::shared).value().has_value());
  EXPECT_FALSE(FileLock::try_acquire(path_, Mode::exclusive).value().has_value());
}

TEST_F(FileLockTest, EndsWithTheObject) {
  { const auto held = FileLock::acquire(path_, Mode::exclusive); }
  EXPECT_TRUE(FileLock::try_acquire(path_, Mode::exclusive).value().has_value());
}

TEST_F(FileLockTest, WaitsAndTellsSoOnce) {
  std::optional<FileLock> held = FileLock::acquire(path_, Mode::exclusive).value();
  std::promise<void> waiting;
  int told = 0;
  auto other = std::async(std::launch::async, [&] {
    return FileLock::acquire(path_, Mode::exclusive,
                             [&] {
                               ++told;
                               waiting.set_value();
                             })
        .has_value();
  });
  waiting.get_future().wait();
  held.reset();
  EXPECT_TRUE(other.get());
  EXPECT_EQ(told, 1);
}

TEST_F(FileLockTest, DoesNotSpeakOfWaitingWhenFree) {
  bool told = false;
  ASSERT_TRUE(FileLock::acquire(path_, Mode::exclusive, [&] { told = true; }));
  EXPECT_FALSE(told);
}

// npm/cli#8512, #8710: a lock that a heartbeat keeps alive outlives its process, or dies before it.
TEST_F(FileLockTest, EndsWithItsProcessHoweverThatEnds) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = FileLock::acquire(path_, Mode::exclusive);
    if (!held || ::write(ready[1], "x", 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(FileLock::try_acquire(path_, Mode::exclusive).value().has_value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock::try_acquire(path_, Mode::exclusive).value().has_value());
  ::close(ready[0]);
  ::close(ready[1]);
}

// The file of a lock that somebody removed is a lock that nobody else sees.
TEST_F(FileLockTest, AWaiterDoesNotGetTheLockOfARemovedFile) {
  std::optional<FileLock> held = FileLock::acquire(path_, Mode::exclusive).value();
  std::promise<void> waiting;
  auto other = std::async(std::launch::async, [&] {
    return FileLock::acquire(path_, Mode::exclusive, [&] { waiting.set_value(); });
  });
  waiting.get_future().wait();
  std::filesystem::remove(path_);
  held.reset();
  const auto got = other.get();
  ASSERT_TRUE(got);
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_FALSE(FileLock::try_acquire(path_, Mode::shared).value().has_value());
}

TEST_F(FileLockTest, AMissingFolderIsNamed) {
  const auto held = FileLock::acquire(folder_ / "none/a.lock", Mode::exclusive);
  ASSERT_FALSE(held);
  EXPECT_EQ(held.error().code(), ErrorCode::lock_failed);
  EXPECT_NE(held.error().detail().find("none/a.lock"), std::string::npos);
  EXPECT_NE(held.error().detail().find("ENOENT"), std::string::npos);
}

TEST_F(FileLockTest, AnotherProgramsLinkIsNotFollowed) {
  const auto victim = folder_.write("victim", "");
  std::filesystem::create_symlink(victim, path_);
  EXPECT_FALSE(FileLock::acquire(path_, Mode::exclusive));
}

}  // namespace
}  // namespace curupira
