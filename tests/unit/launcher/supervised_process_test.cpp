#include "launcher/supervised_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <chrono>
#include <string>

namespace curupira::launcher {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr auto patience = 20s;  ///< far more than any step takes; reached only when something hangs

SupervisedProcess::Deadline in(std::chrono::milliseconds time) {
  return steady_clock::now() + time;
}

std::unique_ptr<SupervisedProcess> start(const std::string& shell_script, std::size_t tail = 8192) {
  auto process = SupervisedProcess::start({.argv = {"/bin/sh", "-c", shell_script}},
                                          Environment({{"PATH", "/usr/bin:/bin"}}), tail);
  EXPECT_TRUE(process) << process.error().summary();
  return process ? *std::move(process) : nullptr;
}

std::string read_line(SupervisedProcess& process) {
  std::string line;
  char c = 0;
  for (;;) {
    const auto count = process.read(std::span(&c, 1), in(patience));
    if (!count || *count == 0 || c == '\n') return line;
    line += c;
  }
}

/// Whether the process ends within `patience`; also when nobody reaps it.
bool ends(int pid) {
  const auto deadline = in(patience);
  while (steady_clock::now() < deadline) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    char text[512] = {};
    if (FILE* file = std::fopen(path, "r")) {
      const std::size_t got = std::fread(text, 1, sizeof text - 1, file);
      std::fclose(file);
      if (got > 0 && std::string(text).find(") Z ") != std::string::npos) return true;
    }
    ::usleep(5000);
  }
  return false;
}

TEST(SupervisedProcess, AnswersWhatItIsSent) {
  const auto process = start("exec cat");
  ASSERT_TRUE(process->write("hello\n", in(patience)));
  EXPECT_EQ(read_line(*process), "hello");
}

TEST(SupervisedProcess, GetsTheEnvironmentAndTheFolderItIsGiven) {
  auto process = SupervisedProcess::start({.argv = {"/bin/sh", "-c", "pwd; echo $ONLY"}, .cwd = "/usr"},
                                          Environment({{"ONLY", "this"}}));
  ASSERT_TRUE(process);
  EXPECT_EQ(read_line(**process), "/usr");
  EXPECT_EQ(read_line(**process), "this");
}

TEST(SupervisedProcess, ProgramThatDoesNotExistIsAnError) {
  const auto process = SupervisedProcess::start({.argv = {"/nowhere/program"}}, Environment());
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code(), ErrorCode::spawn_failed);
}

TEST(SupervisedProcess, ReadsZeroAtTheEnd) {
  const auto process = start("printf x");
  char buffer[8];
  EXPECT_EQ(process->read(buffer, in(patience)).value(), 1u);
  EXPECT_EQ(process->read(buffer, in(patience)).value(), 0u);
}

TEST(SupervisedProcess, SilenceIsATimeout) {
  const auto process = start("exec sleep 1000");
  char buffer[8];
  const auto count = process->read(buffer, in(50ms));
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().code(), ErrorCode::extension_timeout);
}

// NousResearch/hermes-agent#101025: after a time-out the same process can still answer.
TEST(SupervisedProcess, SlowIsNotDead) {
  const auto process = start("read x; echo late; exec cat");
  char buffer[8];
  ASSERT_FALSE(process->read(buffer, in(30ms)));
  ASSERT_TRUE(process->write("go\n", in(patience)));
  EXPECT_EQ(read_line(*process), "late");
}

TEST(SupervisedProcess, ChildThatDoesNotReadIsATimeout) {
  const auto process = start("exec sleep 1000");
  const auto written = process->write(std::string(1u << 20, 'x'), in(100ms));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::extension_timeout);
}

TEST(SupervisedProcess, LargeWriteArrivesWhole) {
  const auto process = start("wc -c");
  ASSERT_TRUE(process->write(std::string(1u << 20, 'x'), in(patience)));
  EXPECT_TRUE(process->shut_down(patience).success());
}

TEST(SupervisedProcess, ClosedStdinIsAnErrorAndNoSignal) {
  const auto process = start("exec 0<&-; echo closed; exec sleep 1000");
  ASSERT_EQ(read_line(*process), "closed");
  const auto written = process->write("x", in(patience));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::extension_transport);
  EXPECT_THAT(written.error().detail(), HasSubstr("closed its stdin"));
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(SupervisedProcess, WriteToTheDeadSaysHowItDied) {
  const auto process = start("exit 3");
  char buffer[8];
  ASSERT_EQ(process->read(buffer, in(patience)).value(), 0u);
  const auto deadline = in(patience);
  while (!process->exit_status() && steady_clock::now() < deadline)
    ::usleep(1000);
  const auto written = process->write("x", in(patience));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::extension_transport);
  EXPECT_THAT(written.error().detail(), HasSubstr("exit code 3"));
}

// MoonshotAI/kimi-code#2109, mozilla-ai/mcpd#310: a grandchild that holds the pipe does not hide the death.
TEST(SupervisedProcess, DeathIsSeenAlthoughAGrandchildHoldsThePipe) {
  const auto process = start("sleep 1000 & echo $!; exit 0");
  const int grandchild = std::stoi(read_line(*process));
  char buffer[8];
  const auto before = steady_clock::now();
  EXPECT_EQ(process->read(buffer, in(patience)).value(), 0u);
  EXPECT_LT(steady_clock::now() - before, patience / 2);
  process->shut_down(patience);
  EXPECT_TRUE(ends(grandchild));
}

TEST(SupervisedProcess, LastWordsBeforeDeathAreRead) {
  const auto process = start("sleep 1000 & printf last; exit 0");
  const auto deadline = in(patience);
  while (!process->exit_status() && steady_clock::now() < deadline)
    ::usleep(1000);
  char buffer[8];
  EXPECT_EQ(process->read(buffer, in(patience)).value(), 4u);
}

// mark3labs/mcp-go#956: a child that logs more than a pipe holds is not stopped by it, although nobody calls
// us.
TEST(SupervisedProcess, StderrIsAlwaysDrained) {
  const auto process = start("head -c 1000000 /dev/zero >&2; echo done");
  EXPECT_EQ(read_line(*process), "done");
}

TEST(SupervisedProcess, TailHoldsTheLastBytesOfStderr) {
  const auto process = start("printf 'first-second' >&2; echo done", 6);
  ASSERT_EQ(read_line(*process), "done");
  EXPECT_EQ(process->stderr_tail(), "second");
}

// modelcontextprotocol/typescript-sdk#579: each step of the ladder.
TEST(SupervisedProcess, EndOfInputEndsAGoodChild) {
  const auto process = start("cat >/dev/null; exit 7");
  EXPECT_EQ(process->shut_down(patience).code, 7);
}

TEST(SupervisedProcess, ChildThatStillWritesCanEnd) {
  const auto process = start("cat >/dev/null; head -c 1000000 /dev/zero; exit 0");
  EXPECT_TRUE(process->shut_down(patience).success());
}

TEST(SupervisedProcess, TermEndsAChildThatIgnoresItsInput) {
  const auto process = start("exec sleep 1000");
  EXPECT_EQ(process->shut_down(50ms).signal, SIGTERM);
}

TEST(SupervisedProcess, KillEndsAChildThatIgnoresTerm) {
  const auto process = start("trap '' TERM; echo ready; while :; do sleep 1000; done");
  ASSERT_EQ(read_line(*process), "ready");
  EXPECT_EQ(process->shut_down(50ms).signal, SIGKILL);
}

// anthropics/claude-code#27707, NousResearch/hermes-agent#50169: no leftover.
TEST(SupervisedProcess, ShutDownEndsWhatLeftTheGroup) {
  const auto process = start("setsid sleep 1000 & echo $!; cat >/dev/null; exit 0");
  const int grandchild = std::stoi(read_line(*process));
  EXPECT_TRUE(process->shut_down(patience).success());
  EXPECT_TRUE(ends(grandchild));
}

TEST(SupervisedProcess, DestructionEndsTheTree) {
  auto process = start("sleep 1000 & echo $!; wait");
  const int grandchild = std::stoi(read_line(*process));
  const int child = process->pid();
  process.reset();
  EXPECT_TRUE(ends(child));
  EXPECT_TRUE(ends(grandchild));
}

}  // namespace
}  // namespace curupira::launcher
