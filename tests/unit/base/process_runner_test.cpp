#include "base/process_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"
#include "tests/unit/base/process_probe.h"

namespace curupira {
namespace {

using ::testing::HasSubstr;

ProcessRequest shell(const std::string& script) {
  return {.argv = {"sh", "-c", script}, .environment = Environment{{"PATH", "/usr/bin:/bin"}}};
}

Result<ProcessOutput> run(const ProcessRequest& request) {
  return SystemProcessRunner().run(request);
}

TEST(ProcessRunner, GivesBothStreamsAndTheStatus) {
  const auto output = run(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standard_output, "out\n");
  EXPECT_EQ(output->standard_error, "err\n");
  EXPECT_EQ(output->status.code, 3);
}

// mark3labs/mcp-go#956: a stream that nobody reads blocks the program at 64 KiB.
TEST(ProcessRunner, TakesFloodsOnBothStreams) {
  const auto output = run(shell("head -c 10485760 /dev/zero & head -c 10485760 /dev/zero >&2; wait"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standard_output.size(), 10485760u);
  EXPECT_EQ(output->standard_error.size(), 10485760u);
}

// npm/cli#9959, #3781: a tool that asks a question hangs on the pipe.
TEST(ProcessRunner, AQuestionFindsTheEndOfTheInput) {
  const auto output = run(shell("read answer || echo nobody"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standard_output, "nobody\n");
}

TEST(ProcessRunner, WhatIsGivenIsTheWholeInput) {
  ProcessRequest request = shell("cat; echo end");
  request.input = "example.org";
  EXPECT_EQ(run(request).value().standard_output, "example.orgend\n");
}

TEST(ProcessRunner, AnInputThatNobodyReadsIsNoError) {
  ProcessRequest request = shell("exit 0");
  request.input = std::string(max_child_input, 'x');
  EXPECT_TRUE(run(request).value().status.success());
  request.input += "x";
  EXPECT_EQ(run(request).error().code(), ErrorCode::spawn_failed);
}

TEST(ProcessRunner, EndsAProgramThatWritesTooMuch) {
  ProcessRequest request = shell("cat /dev/zero");
  request.max_output = 100'000;
  const auto output = run(request);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), ErrorCode::response_too_large);
  EXPECT_THAT(output.error().detail(), HasSubstr("standard output"));
}

TEST(ProcessRunner, OutputOfExactlyTheLimitIsAllowed) {
  ProcessRequest request = shell("head -c 100000 /dev/zero");
  request.max_output = 100'000;
  EXPECT_TRUE(run(request));
}

TEST(ProcessRunner, ATimeoutEndsTheWholeTreeAndShowsTheLastWords) {
  ASSERT_TRUE(become_subreaper());
  const test::TemporaryFolder folder;
  ProcessRequest request = shell(
      "trap '' TERM; echo stuck >&2; setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 600' & "
      "while ! [ -e pid ]; do :; done; exec sleep 600");
  request.cwd = folder.path();
  request.time_limit = std::chrono::seconds(2);
  const auto output = run(request);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), ErrorCode::process_timeout);
  EXPECT_THAT(output.error().detail(), HasSubstr("2 s"));
  EXPECT_THAT(output.error().detail(), HasSubstr("stuck"));
  EXPECT_TRUE(test::is_gone(std::stoi("0" + test::text_of(folder / "pid"))));
}

// hashicorp/go-plugin#210: a wait on an inherited descriptor that never ends.
TEST(ProcessRunner, ADescendantThatKeepsThePipeDoesNotKeepUs) {
  ASSERT_TRUE(become_subreaper());
  const auto output = run(shell("setsid sh -c 'echo $$; exec sleep 600' & echo done"));
  ASSERT_TRUE(output);
  EXPECT_THAT(output->standard_output, HasSubstr("done"));
}

TEST(ProcessRunner, AProgramThatClosesItsStreamsIsStillWaitedFor) {
  const auto output = run(shell("exec >&- 2>&-; sleep 0.05; exit 4"));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->status.code, 4);
}

TEST(ProcessRunner, AMissingToolIsNamedWithThePath) {
  ProcessRequest request = shell("");
  request.argv = {"no-such-tool"};
  const auto output = run(request);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), ErrorCode::tool_missing);
  EXPECT_THAT(output.error().detail(), HasSubstr("/usr/bin:/bin"));
}

class FindProgramTest : public ::testing::Test {
 protected:
  void make(std::string_view name, unsigned mode) {
    ASSERT_EQ(::chmod(folder_.write(name, "#!/bin/sh\n").c_str(), mode), 0);
  }
  Environment path(const std::string& value) { return Environment{{"PATH", value}}; }
  std::string in(std::string_view name) { return (folder_ / name).native(); }

  test::TemporaryFolder folder_;
};

TEST_F(FindProgramTest, TheFirstThatCanBeStarted) {
  make("a/tool", 0644);
  std::filesystem::create_directories(folder_ / "b/tool");
  make("c/tool", 0755);
  make("d/tool", 0755);
  const auto found =
      find_program(path(in("a") + ":" + in("none") + ":" + in("b") + ":" + in("c") + ":" + in("d")), "tool");
  EXPECT_EQ(found, folder_ / "c/tool");
}

TEST_F(FindProgramTest, TheCurrentFolderIsNeverSearched) {
  const auto before = std::filesystem::current_path();
  make("tool", 0755);
  std::filesystem::current_path(folder_.path());
  EXPECT_EQ(find_program(path(":.:" + in("none") + ":"), "tool"), std::nullopt);
  EXPECT_EQ(find_program(path(in("")), "./tool"), std::nullopt);
  std::filesystem::current_path(before);
}

TEST_F(FindProgramTest, AnAbsolutePathIsTakenWhenItCanBeStarted) {
  make("tool", 0755);
  make("text", 0644);
  EXPECT_EQ(find_program({}, in("tool")), folder_ / "tool");
  EXPECT_EQ(find_program({}, in("text")), std::nullopt);
}

}  // namespace
}  // namespace curupira
