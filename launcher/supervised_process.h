#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/child_process.h"
#include "base/result.h"
#include "launcher/launch_command.h"

namespace curupira::launcher {

/// A long-lived child that is spoken to on stdin and stdout. Its stderr is always drained; a tail is kept for
/// messages.
class SupervisedProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  static Result<std::unique_ptr<SupervisedProcess>> start(const LaunchCommand& command,
                                                          const Environment& environment,
                                                          std::size_t stderr_tail_bytes = 8192);
  ~SupervisedProcess();  ///< kills the whole tree

  int pid() const;
  /// Writes all bytes. Errors: extension_transport (broken pipe, ended), extension_timeout.
  Result<> write(std::string_view bytes, Deadline deadline);
  /// Some bytes, at least one; 0 at the end of the stream. Errors: extension_timeout.
  Result<std::size_t> read(std::span<char> buffer, Deadline deadline);
  /// The last bytes that it wrote on stderr, after draining what is there.
  std::string stderr_tail();
  std::optional<ExitStatus> exit_status();

  /// Closes stdin, waits, SIGTERM, waits, SIGKILL to the whole tree: each step bounded by `step`
  /// (spec/protocol.md §2).
  ExitStatus shut_down(std::chrono::milliseconds step);

 private:
  struct State;
  explicit SupervisedProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace curupira::launcher
