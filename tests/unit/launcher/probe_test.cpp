// What a probe answers: to good packages, to bad ones, and to those that do not end.
#include "launcher/probe.h"

#include <gmock/gmock.h>

#include <chrono>

#include "probe_fixture.h"

namespace curupira::launcher {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

INSTANTIATE_TEST_SUITE_P(Sandboxes, ProbeTest, testing::ValuesIn(all_situations()), name_of_situation);

TEST_P(ProbeTest, GivesExactlyWhatIsPrinted) {
  const auto outcome = shell("printf 'name = \"a\"\\n\\nname = \"b\"'");
  EXPECT_TRUE(outcome.ok) << outcome.text;
  EXPECT_EQ(outcome.text, "name = \"a\"\n\nname = \"b\"");
}

TEST_P(ProbeTest, AsksByTheFlagAfterTheArguments) {
  const auto file = temporary.write("package/entry", "echo \"$@\"");
  EXPECT_EQ(run_command({.argv = {"/bin/sh", file.string(), "--stdio"}}).text,
            "--stdio --curupira-print-manifest\n");
}

TEST_P(ProbeTest, PythonStarts) {
  EXPECT_EQ(
      python("import json, ssl, subprocess, sys, tempfile, threading\n"
             "t = threading.Thread(target=lambda: None); t.start(); t.join()\n"
             "print(subprocess.run(['/bin/echo', 'child'], capture_output=True, text=True).stdout, end='')\n"
             "tempfile.TemporaryFile().write(b'x')\n")
          .text,
      "child\n");
}

TEST_P(ProbeTest, NodeStarts) {
  const auto outcome =
      run("/usr/bin/node",
          "const { execFileSync } = require('child_process');\n"
          "const { Worker } = require('worker_threads');\n"
          "const out = execFileSync(process.execPath, ['-p', '6*7'], { encoding: 'utf8' });\n"
          "new Worker('0', { eval: true }).on('exit', () => process.stdout.write(out));\n");
  EXPECT_EQ(outcome.text, "42\n");
}

TEST_P(ProbeTest, PythonKnowsWhoItIs) {
  const auto outcome = python(
      "import getpass, grp, os, pwd\n"
      "print(getpass.getuser() == pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_gid == "
      "os.getgid())\n");
  EXPECT_EQ(outcome.text, "True True\n");
}

TEST_P(ProbeTest, NodeKnowsWhoItIs) {
  const auto outcome =
      run("/usr/bin/node", "console.log(require('os').userInfo().uid === process.getuid())\n");
  EXPECT_EQ(outcome.text, "true\n");
}

TEST_P(ProbeTest, ProgramWithItsOwnInterpreterLineStarts) {
  const auto file = temporary.write("package/entry", "#!/usr/bin/env python3\nprint('started')\n", 0755);
  EXPECT_EQ(run_command({.argv = {file.string()}}).text, "started\n");
}

TEST_P(ProbeTest, ReadsNothingOnStdin) {
  EXPECT_EQ(shell("cat; echo end").text, "end\n");
}

TEST_P(ProbeTest, PrintsNothing) {
  const auto outcome = shell("echo only here >&2");
  EXPECT_EQ(outcome.error, "probe_output");
  EXPECT_THAT(outcome.text, HasSubstr("only here"));
}

TEST_P(ProbeTest, PrintsOneGigabyte) {
  const auto outcome = shell("exec head -c 1000000000 /dev/zero");
  EXPECT_EQ(outcome.error, "probe_output_too_large");
}

TEST_P(ProbeTest, LimitOfTheOutputIsInclusive) {
  EXPECT_TRUE(shell("printf 12345678", {.output = 8}).ok);
  EXPECT_EQ(shell("printf 123456789", {.output = 8}).error, "probe_output_too_large");
}

TEST_P(ProbeTest, NeverEnds) {
  const auto outcome = shell("echo waiting >&2; while :; do sleep 1000; done", {.time = 1000ms});
  EXPECT_EQ(outcome.error, "probe_timeout");
  EXPECT_THAT(outcome.text, HasSubstr("waiting"));
}

TEST_P(ProbeTest, IgnoresSignalsAndNeverEnds) {
  EXPECT_EQ(shell("trap '' TERM INT HUP; while :; do :; done", {.time = 500ms}).error, "probe_timeout");
}

TEST_P(ProbeTest, ExitsWithThree) {
  const auto outcome = shell("echo looks fine; echo 'no licence' >&2; exit 3");
  EXPECT_EQ(outcome.error, "probe_failed");
  EXPECT_THAT(outcome.text, HasSubstr("exit code 3"));
  EXPECT_THAT(outcome.text, HasSubstr("no licence"));
}

TEST_P(ProbeTest, EndedByASignalIsSaid) {
  const auto outcome =
      python("import os, signal; signal.raise_signal(signal.SIGKILL) if False else os.abort()");
  EXPECT_EQ(outcome.error, "probe_failed");
  EXPECT_THAT(outcome.text, HasSubstr("signal 6"));
}

TEST_P(ProbeTest, ControlCharactersOfStderrAreShownHarmless) {
  const auto outcome = shell("printf '\\033[2Jcleared' >&2; exit 1");
  EXPECT_THAT(outcome.text, HasSubstr("cleared"));
  EXPECT_THAT(outcome.text, Not(HasSubstr("\x1b")));
}

TEST_P(ProbeTest, StderrIsKeptByItsEnd) {
  const auto outcome =
      shell("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo end >&2; exit 1", {.error_tail = 16});
  EXPECT_THAT(outcome.text, HasSubstr("xxxxend"));
  EXPECT_LT(outcome.text.size(), 400u);
}

TEST_P(ProbeTest, ProgramThatIsNotThere) {
  const auto outcome = run_command({.argv = {(package / "gone").string()}});
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.text, HasSubstr("gone"));
}

TEST_P(ProbeTest, WantOfMemoryIsContained) {
  const auto outcome = python(
      "import mmap\nb = []\nfor i in range(400): b.append(mmap.mmap(-1, 16 << 20, "
      "flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))\nprint('6 GB')");
  EXPECT_EQ(outcome.error, "probe_failed");
  EXPECT_THAT(outcome.text, HasSubstr("Cannot allocate memory"));
}

TEST_P(ProbeTest, SharedMemoryIsNoWayAroundTheLimit) {
  const auto outcome = python("import mmap\nmmap.mmap(-1, 4096)\n");
  EXPECT_EQ(outcome.error, "probe_failed");
}

TEST_P(ProbeTest, LargeFileIsNotWritten) {
  const auto outcome = python("import os\nf = open(os.path.expanduser('~/big'), 'wb')\nf.truncate(17 << 20)");
  EXPECT_EQ(outcome.error, "probe_failed");
  EXPECT_THAT(outcome.text, HasSubstr("File too large"));
}

TEST_P(ProbeTest, ProcessesAreLimited) {
  const bool root = ::geteuid() == 0 && GetParam().user == User::current;
  const std::string most = root ? "300" : "5000";
  const auto outcome =
      python("import os, time\ncount = 0\ntry:\n    while count < " + most +
             ":\n        if os.fork() == 0:\n            time.sleep(1000)\n        count += 1\n"
             "except BlockingIOError:\n    pass\n"
             "print('limited' if count < " +
             most + " else 'unlimited')\n");
  // The kernel exempts root (resource_limits.h): then it is the end of so large a tree that is shown.
  EXPECT_EQ(outcome.text, root ? "unlimited\n" : "limited\n");
}

TEST_P(ProbeTest, NothingIsLeftInTheScratchFolder) {
  shell(
      "mkdir -p $HOME/a/b; echo x > $HOME/a/b/c; chmod 0 $HOME/a/b/c 2>/dev/null; umask 777; mkdir "
      "$HOME/closed");
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
}

}  // namespace
}  // namespace curupira::launcher
