#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/json.h"
#include "base/process_runner.h"
#include "launcher/launch_command.h"
#include "runtime/extension_session.h"
#include "tests/support/temporary_folder.h"

namespace curupira::runtime {

inline Environment path_only() {
  const char* path = ::getenv("PATH");
  return Environment({{"PATH", path == nullptr ? "/usr/bin:/bin" : path}});
}

/// The command that starts vice_extension.py with `arguments`.
inline launcher::LaunchCommand vice_command(std::vector<std::string> arguments = {}) {
  const auto python = find_program(path_only(), "python3");
  EXPECT_TRUE(python) << "the tests' extension needs python3";
  std::vector<std::string> argv{python ? python->string() : "/nonexistent", "-I",
                                CURUPIRA_SOURCE_FOLDER "/tests/unit/runtime/vice_extension.py"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return {.argv = std::move(argv)};
}

inline const ExtensionIdentity vice_identity{"vice", "1.2.3"};

inline Result<ExtensionSession> start_vice(std::vector<std::string> arguments = {},
                                           const SessionLimits& limits = {},
                                           std::vector<std::string> withheld = {}) {
  return ExtensionSession::start(vice_command(std::move(arguments)), path_only(), vice_identity, limits,
                                 std::move(withheld));
}

/// The JSON lines that the extension logged; the first of each process has its environment.
inline std::vector<json::Value> log_lines(const std::filesystem::path& file) {
  std::vector<json::Value> lines;
  std::istringstream text(test::text_of(file));
  for (std::string line; std::getline(text, line);) {
    auto value = json::parse(line);
    EXPECT_TRUE(value) << line;
    if (value) lines.push_back(*std::move(value));
  }
  return lines;
}

/// The methods that were called, in their order.
inline std::vector<std::string> logged_methods(const std::filesystem::path& file) {
  std::vector<std::string> methods;
  for (const auto& line : log_lines(file)) {
    if (const auto* method = line.find_string("method")) methods.push_back(*method);
  }
  return methods;
}

/// How many processes logged their start.
inline std::size_t logged_starts(const std::filesystem::path& file) {
  std::size_t starts = 0;
  for (const auto& line : log_lines(file))
    starts += line.find("environment") != nullptr ? 1 : 0;
  return starts;
}

inline bool is_gone(int pid) {
  if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
  // Ended, and nobody has reaped it yet.
  return test::text_of("/proc/" + std::to_string(pid) + "/stat").find(") Z ") != std::string::npos;
}

/// Whether all processes whose ids stand in `file`, one a line, end within a generous time.
inline bool all_end(const std::filesystem::path& file, std::size_t expected) {
  std::istringstream text(test::text_of(file));
  std::vector<int> pids;
  for (int pid = 0; text >> pid;)
    pids.push_back(pid);
  EXPECT_EQ(pids.size(), expected);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (const int pid : pids) {
    while (!is_gone(pid)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      ::usleep(5000);
    }
  }
  return true;
}

}  // namespace curupira::runtime
