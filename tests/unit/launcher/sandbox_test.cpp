#include "launcher/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "launcher/bounded_run.h"
#include "launcher/landlock_sandbox.h"
#include "launcher/seccomp_filter.h"
#include "temporary_folder.h"

namespace curupira::launcher {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Environment forced(const std::string& level) {
  return Environment({{"PATH", "/usr/bin:/bin"}, {std::string(sandbox_variable), level}});
}

TEST(DetectSandbox, WithoutBwrapSaysSoAndTriesTheNext) {
  const auto support = detect_sandbox(Environment({{"PATH", "/nowhere"}}));
  EXPECT_NE(support.best, SandboxLevel::bubblewrap);
  ASSERT_FALSE(support.reasons.empty());
  EXPECT_EQ(support.reasons.front(), "bubblewrap: bwrap is not on PATH");
}

TEST(DetectSandbox, BwrapThatFailsIsGivenWithItsWords) {
  TemporaryFolder temporary;
  temporary.write("bwrap", "#!/bin/sh\necho 'bwrap: no permission to make a namespace' >&2\nexit 1\n", 0755);
  const auto support = detect_sandbox(Environment({{"PATH", temporary.path().string()}}));
  EXPECT_NE(support.best, SandboxLevel::bubblewrap);
  ASSERT_FALSE(support.reasons.empty());
  EXPECT_EQ(support.reasons.front(), "bubblewrap: bwrap: no permission to make a namespace");
}

TEST(DetectSandbox, BestLevelNeedsNoReasons) {
  const auto support = detect_sandbox(Environment({{"PATH", "/usr/bin:/bin"}}));
  if (support.best != SandboxLevel::bubblewrap) GTEST_SKIP() << testing::PrintToString(support.reasons);
  EXPECT_THAT(support.reasons, IsEmpty());
}

TEST(DetectSandbox, ForcedLandlockLeavesBubblewrapAside) {
  if (landlock_abi() == 0) GTEST_SKIP() << "this kernel has no Landlock";
  const auto support = detect_sandbox(forced("landlock"));
  EXPECT_EQ(support.best, SandboxLevel::landlock);
  EXPECT_THAT(support.reasons, ElementsAre("bubblewrap: CURUPIRA_SANDBOX is \"landlock\""));
}

TEST(DetectSandbox, ForcedNoneHasAReasonForEachLevel) {
  const auto support = detect_sandbox(forced("none"));
  EXPECT_EQ(support.best, SandboxLevel::none);
  EXPECT_EQ(support.reasons.size(), 2u);
}

TEST(MakeSandbox, HasTheLevelThatWasAskedFor) {
  for (const auto level : {SandboxLevel::bubblewrap, SandboxLevel::landlock, SandboxLevel::none})
    EXPECT_EQ(make_sandbox(level, forced(""))->level(), level);
}

TEST(NoSandbox, LimitsResourcesAllTheSame) {
  const auto sandbox = make_sandbox(SandboxLevel::none, forced(""));
  ChildSpec spec{.argv = {"/bin/sh", "-c", "ulimit -n; ulimit -c; ulimit -d; ulimit -t"},
                 .environment = forced("")};
  ASSERT_TRUE(sandbox->confine(spec, {.max_memory = 1u << 30, .max_open_files = 99, .max_cpu_seconds = 7}));
  const auto run = run_bounded(spec, {.time = 20s, .output = 4096, .error_tail = 4096});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output, "99\n0\n1048576\n7\n");
}

TEST(NoSandbox, LimitsCpuTime) {
  const auto sandbox = make_sandbox(SandboxLevel::none, forced(""));
  ChildSpec spec{.argv = {"/bin/sh", "-c", "while :; do :; done"}, .environment = forced("")};
  ASSERT_TRUE(sandbox->confine(spec, {.max_cpu_seconds = 1}));
  const auto run = run_bounded(spec, {.time = 60s, .output = 4096, .error_tail = 4096});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status.signal, SIGXCPU);
}

/// What `script` prints in a sandbox of an older kernel's Landlock.
std::string with_abi(int abi, const std::string& script, const SandboxRules& rules) {
  LandlockSandbox sandbox(abi);
  ChildSpec spec{.argv = {"/usr/bin/python3", "-c", script}, .environment = forced("")};
  const auto confined = sandbox.confine(spec, rules);
  if (!confined) return confined.error().summary();
  const auto run = run_bounded(spec, {.time = 20s, .output = 4096, .error_tail = 4096});
  return run ? run->output + run->error_tail : run.error().summary();
}

class OlderLandlock : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (landlock_abi() < GetParam()) GTEST_SKIP() << "this kernel has Landlock ABI " << landlock_abi();
  }
  TemporaryFolder temporary;
  SandboxRules rules{.home = temporary.folder("home")};
};

INSTANTIATE_TEST_SUITE_P(Abi, OlderLandlock, testing::Range(1, 8));

TEST_P(OlderLandlock, RefusesFiles) {
  const auto file = temporary.write("outside", "s3cret");
  EXPECT_THAT(with_abi(GetParam(), "open('" + file.string() + "')", rules), HasSubstr("PermissionError"));
}

TEST_P(OlderLandlock, RefusesSignals) {
  auto victim = ChildProcess::spawn({.argv = {"/usr/bin/sleep", "1000"}, .environment = Environment()});
  ASSERT_TRUE(victim);
  const std::string script = "import os; os.kill(" + std::to_string(victim->pid()) + ", 9)";
  EXPECT_THAT(with_abi(GetParam(), script, rules), HasSubstr("PermissionError"));
  EXPECT_FALSE(victim->wait_for(0ms));
}

TEST_P(OlderLandlock, RefusesTruncation) {
  const auto file = temporary.write("outside", "s3cret");
  EXPECT_THAT(with_abi(GetParam(), "import os; os.truncate('" + file.string() + "', 0)", rules),
              HasSubstr("PermissionError"));
  EXPECT_EQ(fs::file_size(file), 6u);
}

TEST_P(OlderLandlock, AllowsTheHome) {
  EXPECT_EQ(with_abi(GetParam(),
                     "import os\nopen('a', 'w').write('x'); os.mkdir('d'); os.rename('a', "
                     "'b')\nprint(sorted(os.listdir('.')))",
                     rules),
            "['b', 'd']\n");
}

TEST(LandlockSandbox, NoLandlockIsAnError) {
  LandlockSandbox sandbox(0);
  ChildSpec spec{.argv = {"/usr/bin/true"}, .environment = Environment()};
  const auto confined = sandbox.confine(spec, {});
  ASSERT_FALSE(confined);
  EXPECT_EQ(confined.error().code(), ErrorCode::sandbox_unavailable);
}

TEST(SeccompFilter, MoreToRefuseIsALongerProgram) {
  const auto small = make_seccomp_filter({});
  const auto large = make_seccomp_filter({.forbid_signals = true, .forbid_file_attributes = true});
  ASSERT_TRUE(small && large);
  EXPECT_LT(small->size(), large->size());
}

}  // namespace
}  // namespace curupira::launcher
