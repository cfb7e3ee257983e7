#pragma once

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/probe.h"
#include "temporary_folder.h"

namespace curupira::launcher {

/// Who starts the probe: the one who runs the tests, or nobody when that is root.
enum class User { current, nobody };

struct Situation {
  SandboxLevel level;
  User user;
};

inline std::vector<Situation> all_situations() {
  std::vector<Situation> all;
  for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
    all.push_back({level, User::current});
    if (::geteuid() == 0) all.push_back({level, User::nobody});
  }
  return all;
}

inline std::string name_of_situation(const testing::TestParamInfo<Situation>& info) {
  return std::string(name_of(info.param.level)) + (info.param.user == User::nobody ? "_as_nobody" : "");
}

inline Environment tools_environment() {
  return Environment({{"PATH", "/usr/bin:/bin:/usr/local/bin"}});
}

/// What a probe gave: its text, or the name and the detail of its error.
struct Outcome {
  bool ok = false;
  std::string error;
  std::string text;
};

inline void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << (outcome.ok ? "ok" : outcome.error) << ": " << outcome.text;
}

/// Runs a script of the test as a package that is asked for its manifest, once at each level and as each
/// user.
class ProbeTest : public testing::TestWithParam<Situation> {
 protected:
  void SetUp() override {
    const auto support = detect_sandbox(with_level());
    if (support.best != GetParam().level)
      GTEST_SKIP() << "this machine cannot do it: " << testing::PrintToString(support.reasons);
    own(scratch);
    own(user_home);
  }

  Outcome run(const char* interpreter, const std::string& script, const ProbeLimits& limits = {}) {
    const auto file = temporary.write("package/entry", script, 0755);
    return run_command({.argv = {interpreter, file.string()}}, limits);
  }
  Outcome python(const std::string& script) { return run("/usr/bin/python3", script); }
  Outcome shell(const std::string& script, const ProbeLimits& limits = {}) {
    return run("/bin/sh", script, limits);
  }

  Outcome run_command(const LaunchCommand& command, const ProbeLimits& limits = {}) {
    return as_user([&]() -> Outcome {
      const auto files = make_posix_file_system();
      const auto sandbox = make_sandbox(GetParam().level, environment);
      auto text = probe({.command = command, .readable = {package}, .scratch = scratch}, *sandbox, *files,
                        environment, limits);
      if (text) return {.ok = true, .error = {}, .text = *text};
      return {.ok = false,
              .error = std::string(error_info(text.error().code()).name),
              .text = text.error().detail()};
    });
  }

  /// Gives a file or folder to the user that the probe runs as.
  void own(const std::filesystem::path& path) const {
    if (GetParam().user == User::nobody) {
      ASSERT_EQ(::chown(path.c_str(), nobody, nobody), 0);
    }
  }

  Environment with_level() const {
    Environment forced = tools_environment();
    forced.set(std::string(sandbox_variable), std::string(name_of(GetParam().level)));
    return forced;
  }

  static constexpr uid_t nobody = 65534;
  TemporaryFolder temporary;
  std::filesystem::path package = temporary.folder("package");
  std::filesystem::path scratch = temporary.folder("scratch");
  std::filesystem::path user_home = temporary.folder("user-home");  ///< HOME of the one who installs
  Environment environment = [this] {
    Environment all = tools_environment();
    all.set("HOME", user_home.string());
    all.set("SECRET_TOKEN", "s3cret");
    return all;
  }();

 private:
  /// In a child process when it has to be another user; the outcome comes through a pipe.
  Outcome as_user(const std::function<Outcome()>& action) {
    if (GetParam().user == User::current) return action();
    int ends[2];
    if (::pipe(ends) != 0) return {};
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0) ::_exit(1);
      const Outcome outcome = action();
      const std::string message = (outcome.ok ? "1" : "0") + outcome.error + "\n" + outcome.text;
      [[maybe_unused]] const ssize_t told = ::write(ends[1], message.data(), message.size());
      ::_exit(0);
    }
    ::close(ends[1]);
    std::string message;
    char buffer[4096];
    for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      message.append(buffer, static_cast<std::size_t>(count));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    const auto line = message.find('\n');
    if (message.empty() || line == std::string::npos)
      return {.ok = false, .error = "the test's own child failed", .text = {}};
    return {.ok = message[0] == '1', .error = message.substr(1, line - 1), .text = message.substr(line + 1)};
  }
};

}  // namespace curupira::launcher
