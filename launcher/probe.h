#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/environment.h"
#include "base/file_system.h"
#include "base/result.h"
#include "launcher/launch_command.h"
#include "launcher/sandbox.h"

namespace curupira::launcher {

struct ProbeLimits {
  std::chrono::milliseconds time{20'000};
  std::uint64_t output = 256u << 10;  ///< bytes of stdout
  std::uint64_t error_tail = 4096;    ///< bytes of stderr kept for the message
};

struct ProbeRequest {
  LaunchCommand command;                        ///< `--curupira-print-manifest` is appended
  std::vector<std::filesystem::path> readable;  ///< the content folder, the store's trees behind it
  std::filesystem::path scratch;                ///< an existing folder for the temporary home
};

/// Starts the package once in the sandbox and returns what it printed (not parsed). The whole process tree is
/// gone after. Errors: sandbox_unavailable, probe_timeout, probe_failed, probe_output (nothing printed),
/// probe_output_too_large.
Result<std::string> probe(const ProbeRequest& request, Sandbox& sandbox, FileSystem& files,
                          const Environment& environment, const ProbeLimits& limits = {});

}  // namespace curupira::launcher
