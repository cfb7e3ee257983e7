#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira {

/// How a process ended.
struct ExitStatus {
  std::optional<int> code;    ///< when it exited
  std::optional<int> signal;  ///< when a signal ended it
  bool success() const { return code == 0; }
  std::string to_string() const;  ///< "exit code 3", "signal 9 (killed)"
};

/// As much as every pipe holds before anybody reads, in bytes.
inline constexpr std::size_t max_child_input = 4096;

struct ChildSpec {
  std::vector<std::string> argv;  ///< argv[0] is an absolute path
  Environment environment;        ///< the whole of it
  std::optional<std::filesystem::path> cwd = {};
  bool pipe_stdin = false;  ///< else /dev/null, or `input`
  /// Standard input from its beginning to its end when not empty, at most `max_child_input`. Not with
  /// `pipe_stdin`.
  std::string input = {};
  bool pipe_stdout = true;  ///< else /dev/null
  bool pipe_stderr = true;  ///< else /dev/null
  /// Runs in the child just before exec; only async-signal-safe calls. Returns 0 or an errno.
  std::function<int()> before_exec = {};
  std::vector<int> inherited_fds = {};  ///< stay open in the child, at the same numbers
};

/// Orphaned descendants of our children become our children from now on, so that `kill_all` can find and reap
/// them wherever they went. For the program as a whole: cli/main.cpp calls it once. Error: spawn_failed.
Result<> become_subreaper();

/// A child in a session and process group of its own (no terminal to ask questions on), which gets SIGKILL
/// when the thread that started it ends, and so at the latest with this process. No shell, no inherited
/// descriptors. Its environment is the given one and CURUPIRA_CHILD, an identifier that its descendants
/// inherit (process_tree.h). Destroying it kills the whole tree and reaps the child; until then its number is
/// not given to another process.
class ChildProcess {
 public:
  /// Error: spawn_failed with the program and the system's reason (also when exec fails in the child).
  static Result<ChildProcess> spawn(const ChildSpec& spec);

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();

  int pid() const { return pid_; }
  /// Readable (poll) once the child has ended; -1 after `kill_all`. Not to be closed.
  int exit_fd() const { return pidfd_.get(); }
  UniqueFd& stdin_pipe() { return stdin_; }
  UniqueFd& stdout_pipe() { return stdout_; }
  UniqueFd& stderr_pipe() { return stderr_; }

  /// Waits at most `limit`; nothing when it still runs.
  std::optional<ExitStatus> wait_for(std::chrono::milliseconds limit);
  const std::optional<ExitStatus>& exit_status() const { return status_; }
  void signal_group(int signal);
  /// SIGKILL to the group and to every descendant that left it, and reaps the child. Waits at most some
  /// seconds.
  void kill_all();

 private:
  ChildProcess() = default;
  int pid_ = -1;
  std::string mark_;
  UniqueFd pidfd_, stdin_, stdout_, stderr_;
  std::optional<ExitStatus> status_;
};

}  // namespace curupira
