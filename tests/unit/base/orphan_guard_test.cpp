#include "base/orphan_guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/unit/base/process_probe.h"

namespace curupira {
namespace {

/// A process with a guard and a child: tells the number of a daemon of that child, and goes on as told.
template <class Then>
int daemon_of_host(pid_t& host, Then then) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return 0;
  host = ::fork();
  if (host == 0) {
    auto guard = OrphanGuard::start();
    auto child =
        ChildProcess::spawn(test::shell("trap '' TERM; setsid sh -c 'echo $$; exec sleep 600' & wait"));
    if (!guard || !child) ::_exit(1);
    const std::string line = test::read_until(child->stdout_pipe().get(), '\n');
    if (::write(pipe[1], line.data(), line.size()) < 0) ::_exit(1);
    then(guard);
    ::_exit(0);
  }
  const int daemon = test::read_pid(pipe[0]);
  ::close(pipe[0]);
  ::close(pipe[1]);
  return daemon;
}

// anthropics/claude-code#27707, NousResearch/hermes-agent#50169: leftover servers of a host that was killed.
TEST(OrphanGuard, EndsWhatAKilledHostLeaves) {
  pid_t host = 0;
  const int daemon = daemon_of_host(host, [](auto&) { ::pause(); });
  ASSERT_GT(daemon, 0);
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  EXPECT_TRUE(test::ends(daemon));
}

TEST(OrphanGuard, EndsNobodyWhenItIsDismissed) {
  pid_t host = 0;
  const int daemon = daemon_of_host(host, [](auto& guard) { const auto dismissed = std::move(*guard); });
  ASSERT_GT(daemon, 0);
  ::waitpid(host, nullptr, 0);
  EXPECT_EQ(::kill(daemon, 0), 0);
  ::kill(daemon, SIGKILL);
}

TEST(OrphanGuard, LeavesTheChildrenOfOthersAlone) {
  auto other = ChildProcess::spawn(test::shell("exec sleep 600"));
  ASSERT_TRUE(other);
  pid_t host = 0;
  const int daemon = daemon_of_host(host, [](auto&) { ::pause(); });
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  ASSERT_TRUE(test::ends(daemon));
  EXPECT_EQ(other->wait_for(std::chrono::milliseconds(0)), std::nullopt);
}

}  // namespace
}  // namespace curupira
