#include "base/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <sstream>

#include "tests/support/temporary_folder.h"
#include "tests/unit/base/process_probe.h"

namespace curupira {
namespace {

using std::chrono::seconds;
using test::is_gone;
using test::read_all;
using test::read_pid;
using test::shell;
using ::testing::HasSubstr;

constexpr seconds patience{10};

ChildProcess start(const ChildSpec& spec) {
  auto child = ChildProcess::spawn(spec);
  if (!child) throw std::runtime_error(child.error().detail());
  return *std::move(child);
}

TEST(ChildProcess, TellsTheExitCode) {
  ChildProcess child = start(shell("exit 3"));
  const auto status = child.wait_for(patience);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 3);
  EXPECT_FALSE(status->success());
  EXPECT_EQ(status->to_string(), "exit code 3");
}

TEST(ChildProcess, TellsTheSignal) {
  ChildProcess child = start(shell("kill -9 $$"));
  const auto status = child.wait_for(patience);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->signal, 9);
  EXPECT_EQ(status->to_string(), "signal 9 (killed)");
}

TEST(ChildProcess, StillRunningIsNoStatus) {
  ChildProcess child = start(shell("exec sleep 600"));
  EXPECT_EQ(child.wait_for(std::chrono::milliseconds(1)), std::nullopt);
}

TEST(ChildProcess, GetsExactlyTheGivenEnvironmentAndItsMark) {
  ChildSpec spec = shell("");
  spec.argv = {"/usr/bin/env"};
  spec.environment = Environment{{"A", "1 2"}};
  ChildProcess child = start(spec);
  EXPECT_THAT(read_all(child), ::testing::MatchesRegex("A=1 2\nCURUPIRA_CHILD=[0-9]+-[0-9]+\n"));
}

TEST(ChildProcess, StandardInputIsEmptyUnlessPiped) {
  ChildSpec spec = shell("cat; echo end");
  ChildProcess closed = start(spec);
  EXPECT_EQ(read_all(closed), "end\n");

  spec.pipe_stdin = true;
  ChildProcess piped = start(spec);
  ASSERT_EQ(::write(piped.stdin_pipe().get(), "hello\n", 6), 6);
  piped.stdin_pipe().reset();
  EXPECT_EQ(read_all(piped), "hello\nend\n");
}

TEST(ChildProcess, StartsInTheGivenFolder) {
  const test::TemporaryFolder folder;
  ChildSpec spec = shell("pwd -P");
  spec.cwd = folder.path();
  ChildProcess child = start(spec);
  EXPECT_EQ(read_all(child), folder.path().native() + "\n");
}

TEST(ChildProcess, AMissingProgramIsAnErrorOfTheStart) {
  ChildSpec spec = shell("");
  spec.argv = {"/nowhere/program"};
  const auto child = ChildProcess::spawn(spec);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code(), ErrorCode::spawn_failed);
  EXPECT_THAT(child.error().detail(), HasSubstr("/nowhere/program: No such file or directory (ENOENT)"));
}

TEST(ChildProcess, AMissingInterpreterIsSaidToBeThat) {
  const test::TemporaryFolder folder;
  ChildSpec spec = shell("");
  spec.argv = {folder.write("script", "#!/nowhere/python\n")};
  ::chmod(spec.argv[0].c_str(), 0755);
  EXPECT_THAT(ChildProcess::spawn(spec).error().detail(), HasSubstr("interpreter"));
}

TEST(ChildProcess, AMissingFolderIsAnErrorOfTheStart) {
  ChildSpec spec = shell("exit 0");
  spec.cwd = "/nowhere/at/all";
  EXPECT_THAT(ChildProcess::spawn(spec).error().detail(), HasSubstr("/nowhere/at/all cannot be entered"));
}

TEST(ChildProcess, RelativeProgramsAndNulCharactersAreRefused) {
  ChildSpec relative = shell("");
  relative.argv[0] = "sh";
  EXPECT_EQ(ChildProcess::spawn(relative).error().code(), ErrorCode::spawn_failed);
  EXPECT_FALSE(ChildProcess::spawn(shell(std::string("a\0b", 3))));
}

TEST(ChildProcess, AFailedPreparationIsReportedWithItsReason) {
  ChildSpec spec = shell("echo started");
  spec.before_exec = [] { return EPERM; };
  const auto child = ChildProcess::spawn(spec);
  ASSERT_FALSE(child);
  EXPECT_THAT(child.error().detail(), HasSubstr("EPERM"));
}

TEST(ChildProcess, NoDescriptorIsInheritedButTheNamedOnes) {
  const UniqueFd secret(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC, as libraries do it
  const UniqueFd given(::open("/dev/null", O_RDONLY));
  const auto see = [](const UniqueFd& fd) {
    return "[ -e /proc/self/fd/" + std::to_string(fd.get()) + " ] && echo yes || echo no;";
  };
  ChildSpec spec = shell(see(secret) + see(given));
  spec.inherited_fds = {given.get()};
  ChildProcess child = start(spec);
  EXPECT_EQ(read_all(child), "no\nyes\n");
}

TEST(ChildProcess, StartsWithNoSignalBlockedOrIgnored) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto handler = ::signal(SIGPIPE, SIG_IGN);
  ChildSpec spec = shell("");
  spec.argv = {"/bin/grep", "^Sig[BI]", "/proc/self/status"};
  ChildProcess child = start(spec);
  ::signal(SIGPIPE, handler);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(read_all(child), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(ChildProcess, LeadsAGroupAndASessionOfItsOwn) {
  ChildSpec spec = shell("");
  spec.argv = {"/bin/cat", "/proc/self/stat"};
  ChildProcess child = start(spec);
  std::istringstream fields(read_all(child));
  std::string name, state;
  int pid = 0, parent = 0, group = 0, session = 0;
  fields >> pid >> name >> state >> parent >> group >> session;
  EXPECT_EQ(group, child.pid());
  EXPECT_EQ(session, child.pid());
}

TEST(ChildProcess, ItsEndCanBePolledFor) {
  ChildProcess child = start(shell("exit 0"));
  pollfd ended{.fd = child.exit_fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&ended, 1, 10'000), 1);
}

TEST(ChildProcess, ASignalReachesTheWholeGroup) {
  ChildProcess child = start(shell("sh -c 'echo $$; exec sleep 600' & wait"));
  const int grandchild = read_pid(child.stdout_pipe().get());
  child.signal_group(SIGTERM);
  EXPECT_TRUE(test::ends(grandchild));
  EXPECT_EQ(child.wait_for(patience).value_or(ExitStatus{}).signal, SIGTERM);
}

TEST(ChildProcess, DestroyingItEndsAndReapsIt) {
  int pid = 0;
  {
    ChildProcess child = start(shell("trap '' TERM; echo $$; while :; do sleep 600; done"));
    pid = read_pid(child.stdout_pipe().get());
  }
  EXPECT_TRUE(is_gone(pid));
}

TEST(ChildProcess, KillAllIsHarmlessAfterTheEndAndTwice) {
  ChildProcess child = start(shell("exit 0"));
  ASSERT_TRUE(child.wait_for(patience));
  child.kill_all();
  child.kill_all();
  child.signal_group(SIGKILL);
  EXPECT_EQ(child.exit_status()->code, 0);
  EXPECT_TRUE(is_gone(child.pid()));
}

// mozilla-ai/mcpd#310, hashicorp/go-plugin#10, #167: what leaves the group and ignores signals becomes an
// orphan.
TEST(ChildProcessTree, KillAllReachesADaemon) {
  ASSERT_TRUE(become_subreaper());
  ChildProcess child = start(
      shell("trap '' TERM HUP; setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 600\" & exit 0' & wait; "
            "exec sleep 600"));
  const int daemon = read_pid(child.stdout_pipe().get());
  ASSERT_GT(daemon, 0);
  ASSERT_NE(::getpgid(daemon), child.pid());
  ASSERT_NE(::getsid(daemon), child.pid());
  child.kill_all();
  EXPECT_TRUE(is_gone(daemon));
}

TEST(ChildProcessTree, KillAllReachesADaemonWhoseWholeFamilyHasEnded) {
  ASSERT_TRUE(become_subreaper());
  ChildProcess child =
      start(shell("setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 600\" & exit 0' & wait; exit 0"));
  const int daemon = read_pid(child.stdout_pipe().get());
  ASSERT_TRUE(child.wait_for(patience));
  ASSERT_FALSE(is_gone(daemon));
  child.kill_all();
  EXPECT_TRUE(is_gone(daemon));
}

TEST(ChildProcessTree, KillAllReachesOneThatThrewItsEnvironmentAwayAsLongAsItsParentsLive) {
  ASSERT_TRUE(become_subreaper());
  ChildProcess child =
      start(shell("setsid sh -c 'env -i setsid -w sh -c \"echo \\$\\$; exec sleep 600\"' & wait"));
  const int hidden = read_pid(child.stdout_pipe().get());
  ASSERT_NE(::getsid(hidden), child.pid());
  child.kill_all();
  EXPECT_TRUE(is_gone(hidden));
}

TEST(ChildProcessTree, KillAllLeavesOtherChildrenAlone) {
  ChildProcess other = start(shell("exec sleep 600"));
  ChildProcess child = start(shell("exec sleep 600"));
  child.kill_all();
  EXPECT_EQ(other.wait_for(std::chrono::milliseconds(0)), std::nullopt);
}

TEST(ChildProcessTree, KillAllEndsOneThatKeepsForking) {
  ASSERT_TRUE(become_subreaper());
  ChildProcess child = start(shell("echo ready; while :; do setsid sleep 0.05 & done"));
  ASSERT_EQ(test::read_until(child.stdout_pipe().get(), '\n'), "ready\n");
  child.kill_all();
  // Everybody who holds the pipe is gone when it is at its end.
  EXPECT_EQ(test::read_until(child.stdout_pipe().get(), '\0'), "");
  pollfd ended{.fd = child.stdout_pipe().get(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&ended, 1, 0), 1);
}

// anthropics/claude-code#27707, NousResearch/hermes-agent#50169: servers that are left when the host is
// killed.
TEST(ChildProcessTree, AChildEndsWithAKilledParent) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  const pid_t host = ::fork();
  if (host == 0) {
    ChildSpec spec = shell("trap '' TERM HUP; exec sleep 600");
    spec.pipe_stdout = spec.pipe_stderr = false;
    const ChildProcess child = start(spec);
    const std::string line = std::to_string(child.pid()) + "\n";
    if (::write(pipe[1], line.data(), line.size()) < 0) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  const int child = read_pid(pipe[0]);
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  EXPECT_GT(child, 0);
  EXPECT_TRUE(test::ends(child));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace curupira
