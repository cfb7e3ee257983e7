#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/environment.h"
#include "base/result.h"

namespace curupira {

/// A program that is run to its end for its output: npm, uv, git.
struct ProcessRequest {
  std::vector<std::string> argv;  ///< argv[0]: absolute, or a name that is looked up in PATH of `environment`
  Environment environment;
  std::optional<std::filesystem::path> cwd = {};
  std::chrono::milliseconds time_limit{120'000};
  std::uint64_t max_output = 64u << 20;  ///< bytes, each of stdout and stderr; past it the process is ended
  std::string input = {};                ///< standard input, at most `max_child_input`; none when empty
};

struct ProcessOutput {
  ExitStatus status;
  std::string standard_output;
  std::string standard_error;
};

/// Runs programs. Passed in, so that tests can answer for a program that cannot be made to fail.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  /// Errors: tool_missing, spawn_failed, process_timeout, response_too_large. A bad exit status is no error
  /// here.
  virtual Result<ProcessOutput> run(const ProcessRequest& request) = 0;
};

class SystemProcessRunner final : public ProcessRunner {
 public:
  Result<ProcessOutput> run(const ProcessRequest& request) override;
};

/// The absolute path of `program` in the PATH of `environment`; nothing when it is not there.
std::optional<std::filesystem::path> find_program(const Environment& environment, std::string_view program);

}  // namespace curupira
