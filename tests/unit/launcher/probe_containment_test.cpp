// What a probed package must not reach: the network, the user's files, other processes, and the time after
// its end.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include "launcher/landlock_sandbox.h"
#include "probe_fixture.h"

namespace curupira::launcher {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class ContainmentTest : public ProbeTest {
 protected:
  /// Runs each Python expression inside and gives "name: refused" or "name: DONE", one a line.
  std::string attempts(const std::vector<std::pair<std::string, std::string>>& expressions) {
    std::string script =
        "import ctypes, mmap, os, signal, socket, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "def c(result):\n    if result < 0: raise OSError(ctypes.get_errno(), 'refused')\n";
    for (const auto& [name, expression] : expressions)
      script += "try:\n    " + expression + "\n    print('" + name +
                ": DONE')\nexcept OSError as e:\n    print('" + name + ": refused')\n";
    const auto outcome = python(script);
    EXPECT_TRUE(outcome.ok) << outcome.text;
    return outcome.text;
  }
  std::string attempt(const std::string& expression) { return attempts({{"it", expression}}); }

  /// A file of the user that installs, which nobody else may read.
  fs::path secret(const char* name) {
    const auto file = temporary.write(fs::path("user-home") / name, "s3cret", 0600);
    own(file);
    own(file.parent_path());
    return file;
  }

  static std::string content(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// A process of the user outside, with a secret in its environment.
  ChildProcess victim() {
    ChildSpec spec{.argv = {"/usr/bin/sleep", "1000"},
                   .environment = Environment({{"SECRET_TOKEN", "s3cret"}})};
    if (GetParam().user == User::nobody)
      spec.before_exec = [] { return ::setgid(nobody) != 0 || ::setuid(nobody) != 0 ? errno : 0; };
    auto child = ChildProcess::spawn(spec);
    EXPECT_TRUE(child);
    return std::move(child).value();
  }
};

INSTANTIATE_TEST_SUITE_P(Sandboxes, ContainmentTest, testing::ValuesIn(all_situations()), name_of_situation);

/// Whether a process whose command line holds `mark` is there.
bool runs(const std::string& mark) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    std::ifstream stream(entry.path() / "cmdline");
    const std::string line{std::istreambuf_iterator<char>(stream), {}};
    if (line.find(mark) != std::string::npos) return true;
  }
  return false;
}

/// A number of seconds that no other test sleeps.
std::string unique_sleep() {
  static int count = 0;
  return std::to_string(1000 + ++count) + "." + std::to_string(::getpid());
}

TEST_P(ContainmentTest, OpensNoSocket) {
  EXPECT_EQ(attempts({{"inet", "socket.socket(socket.AF_INET)"},
                      {"inet6", "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)"},
                      {"unix", "socket.socket(socket.AF_UNIX)"},
                      {"netlink", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"},
                      {"datagram pair", "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"},
                      {"io_uring", "c(libc.syscall(425, 1, ctypes.create_string_buffer(256)))"}}),
            "inet: refused\ninet6: refused\nunix: refused\nnetlink: refused\ndatagram pair: "
            "refused\nio_uring: refused\n");
}

TEST_P(ContainmentTest, PairOfStreamsWorks) {
  EXPECT_EQ(attempt("socket.socketpair()"), "it: DONE\n");
}

TEST_P(ContainmentTest, NodeOpensNoSocket) {
  const auto outcome =
      run("/usr/bin/node",
          "const s = require('net').connect(9, '127.0.0.1');\n"
          "s.on('error', (e) => console.log(e.code)).on('connect', () => console.log('CONNECTED'));\n");
  EXPECT_EQ(outcome.text, "EACCES\n");
}

TEST_P(ContainmentTest, ReadsNoPrivateKey) {
  const auto key = secret(".ssh/id_ed25519");
  EXPECT_EQ(attempts({{"file", "open('" + key.string() + "').read()"},
                      {"folder", "os.listdir('" + key.parent_path().string() + "')"}}),
            "file: refused\nfolder: refused\n");
}

TEST_P(ContainmentTest, ReadsNoFileOfTheSystemsAccounts) {
  EXPECT_EQ(attempts({{"shadow", "open('/etc/shadow').read()"},
                      {"gshadow", "open('/etc/gshadow').read()"},
                      {"root", "os.listdir('/root')"},
                      {"var", "os.listdir('/var/log')"}}),
            "shadow: refused\ngshadow: refused\nroot: refused\nvar: refused\n");
}

TEST_P(ContainmentTest, TheAccountsCannotBeChangedAndNamespacesHideThem) {
  const auto outcome = shell("cat /etc/passwd /etc/group; echo x >> /etc/passwd || echo refused");
  EXPECT_TRUE(outcome.text.ends_with("refused\n")) << outcome.text;
  if (GetParam().level != SandboxLevel::bubblewrap) return;  // Landlock has no files of its own
  const bool root = GetParam().user == User::current && ::geteuid() == 0;
  EXPECT_EQ(std::ranges::count(outcome.text, '\n'), 3) << outcome.text;
  EXPECT_TRUE(outcome.text.starts_with(root ? "root:x:0:0:root:" : "user:x:")) << outcome.text;
}

TEST_P(ContainmentTest, WritesOnlyIntoTheTemporaryHome) {
  const auto outcome = shell("echo hello > ~/written && cat ~/written");
  EXPECT_EQ(outcome.text, "hello\n");
  EXPECT_TRUE(fs::is_empty(user_home));
  EXPECT_TRUE(fs::is_empty(scratch));
}

TEST_P(ContainmentTest, ChangesNothingOfTheUser) {
  const auto file = secret("notes/a.txt");
  const std::string path = "'" + file.string() + "'";
  attempts({{"write", "open(" + path + ", 'w').write('changed')"},
            {"truncate", "os.truncate(" + path + ", 0)"},
            {"mode", "os.chmod(" + path + ", 0o644)"},
            {"times", "os.utime(" + path + ", (1, 1))"},
            {"rename", "os.rename(" + path + ", os.path.expanduser('~/taken'))"},
            {"link", "os.link(" + path + ", os.path.expanduser('~/taken'))"},
            {"remove", "os.remove(" + path + ")"}});
  EXPECT_EQ(content(file), "s3cret");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  EXPECT_NE(fs::last_write_time(file), fs::file_time_type(std::chrono::file_clock::from_sys(
                                           std::chrono::sys_time<std::chrono::nanoseconds>(1s))));
}

TEST_P(ContainmentTest, ChangesNothingOfThePackage) {
  const auto file = temporary.write("package/data.txt", "published", 0644);
  own(package);
  own(file);
  const std::string path = "'" + file.string() + "'";
  attempts({{"write", "open(" + path + ", 'w').write('changed')"},
            {"mode", "os.chmod(" + path + ", 0o777)"},
            {"mode of descriptor", "os.fchmod(os.open(" + path + ", os.O_RDONLY), 0o777)"},
            {"add", "open('" + (package / "new").string() + "', 'w')"},
            {"remove", "os.remove(" + path + ")"}});
  EXPECT_EQ(content(file), "published");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0644));
  EXPECT_FALSE(fs::exists(package / "new"));
}

TEST_P(ContainmentTest, WritesNothingIntoTheSystemsFolders) {
  EXPECT_EQ(attempts({{"usr", "open('/usr/lib/curupira-test', 'w')"},
                      {"etc", "open('/etc/curupira-test', 'w')"},
                      {"root", "open('/curupira-test', 'w')"},
                      {"dev", "open('/dev/curupira-test', 'w')"},
                      {"host name", "open('/proc/sys/kernel/hostname', 'w')"},
                      {"core pattern", "open('/proc/sys/kernel/core_pattern', 'w')"},
                      {"sysrq", "open('/proc/sysrq-trigger', 'w')"},
                      {"device", "os.mknod(os.path.expanduser('~/disk'), 0o60600, os.makedev(8, 0))"}}),
            "usr: refused\netc: refused\nroot: refused\ndev: refused\nhost name: refused\n"
            "core pattern: refused\nsysrq: refused\ndevice: refused\n");
}

// VeriTeknik/pluggedin-app#209: an extension got all secrets of the host.
TEST_P(ContainmentTest, GetsAnEnvironmentOfAFewNames) {
  const auto outcome =
      python("import os\nprint(' '.join(sorted(set(os.environ) - {'LC_CTYPE', 'CURUPIRA_CHILD'})))");
  EXPECT_THAT(outcome.text, testing::AnyOf("HOME PATH TMPDIR\n", "HOME PATH PWD TMPDIR\n"));
}

TEST_P(ContainmentTest, ReadsNoOtherProcess) {
  ChildProcess other = victim();
  const std::string pid = std::to_string(other.pid());
  EXPECT_EQ(attempts({{"environ", "open('/proc/" + pid + "/environ').read()"},
                      {"memory", "open('/proc/" + pid + "/mem', 'rb')"},
                      {"ptrace", "c(libc.ptrace(16, " + pid + ", 0, 0))"},
                      {"vm", "c(libc.process_vm_readv(" + pid + ", None, 0, None, 0, 0))"}}),
            "environ: refused\nmemory: refused\nptrace: refused\nvm: refused\n");
}

TEST_P(ContainmentTest, SignalsNoOtherProcess) {
  ChildProcess other = victim();
  const std::string pid = std::to_string(other.pid());
  EXPECT_EQ(attempts({{"kill", "os.kill(" + pid + ", signal.SIGKILL)"},
                      {"limit", "c(libc.prlimit(" + pid + ", 7, ctypes.create_string_buffer(16), None))"},
                      {"priority", "os.setpriority(os.PRIO_PROCESS, " + pid + ", 19)"}}),
            "kill: refused\nlimit: refused\npriority: refused\n");
  EXPECT_FALSE(other.wait_for(0ms));
}

TEST_P(ContainmentTest, MakesNoNamespacesAndMounts) {
  EXPECT_EQ(attempts({{"unshare", "c(libc.unshare(0x10000000))"},
                      {"clone", "c(libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0))"},
                      {"clone3", "c(libc.syscall(435, ctypes.create_string_buffer(88), 88))"},
                      {"mount", "c(libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))"},
                      {"chroot", "os.chroot('/usr')"}}),
            "unshare: refused\nclone: refused\nclone3: refused\nmount: refused\nchroot: refused\n");
}

TEST_P(ContainmentTest, HasNoCapabilities) {
  EXPECT_EQ(attempts({{"owner", "os.chown(os.path.expanduser('~'), 12345, 12345)"},
                      {"clock", "c(libc.settimeofday(ctypes.create_string_buffer(16), None))"},
                      {"name", "socket.sethostname('x')"}}),
            "owner: refused\nclock: refused\nname: refused\n");
}

TEST_P(ContainmentTest, LeavesNoChildThatHoldsThePipes) {
  const std::string time = unique_sleep();
  const auto before = std::chrono::steady_clock::now();
  const auto outcome = shell("sleep " + time + " & echo done");
  EXPECT_EQ(outcome.text, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - before, 15s);
  EXPECT_FALSE(runs(time));
}

// A daemon: a new session where it can get one, two forks, an empty environment, and its parents gone.
TEST_P(ContainmentTest, LeavesNoDaemon) {
  const std::string time = unique_sleep();
  const auto outcome = python(
      "import os, sys\n"
      "sys.stdout.write('done'); sys.stdout.flush()\n"
      "r, w = os.pipe()\n"
      "if os.fork() == 0:\n"
      "    try: os.setsid()\n"
      "    except OSError: pass\n"
      "    try: os.setpgid(0, 0)\n"
      "    except OSError: pass\n"
      "    if os.fork() == 0:\n"
      "        os.set_inheritable(w, False)\n"
      "        os.execve('/usr/bin/sleep', ['sleep', '" +
      time +
      "'], {})\n"
      "    os._exit(0)\n"
      "os.close(w)\nos.read(r, 1)\nos.wait()\n");
  EXPECT_EQ(outcome.text, "done");
  EXPECT_FALSE(runs(time));
}

TEST_P(ContainmentTest, LeavesNothingAfterATimeOut) {
  const std::string time = unique_sleep();
  EXPECT_EQ(shell("sleep " + time + " & sleep " + time, {.time = 500ms}).error, "probe_timeout");
  EXPECT_FALSE(runs(time));
}

}  // namespace
}  // namespace curupira::launcher
