#pragma once

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/child_process.h"
#include "base/pidfd.h"

namespace curupira::test {

/// `sh -c script` with its output on a pipe.
inline ChildSpec shell(const std::string& script) {
  return {.argv = {"/bin/sh", "-c", script}, .environment = Environment{{"PATH", "/usr/bin:/bin"}}};
}

/// Reads until `end` is met, the stream ends, or ten seconds have passed.
inline std::string read_until(int fd, char end) {
  std::string text;
  for (;;) {
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    char byte = 0;
    if (::poll(&ready, 1, 10'000) <= 0 || ::read(fd, &byte, 1) != 1) return text;
    text += byte;
    if (byte == end) return text;
  }
}

inline int read_pid(int fd) {
  return std::stoi("0" + read_until(fd, '\n'));
}

inline std::string read_all(ChildProcess& child) {
  return read_until(child.stdout_pipe().get(), '\0');
}

/// Waits at most ten seconds for the end of a process that need not be a child of ours.
inline bool ends(int pid) {
  const UniqueFd fd = open_pidfd(pid);
  if (!fd) return errno == ESRCH;
  pollfd ended{.fd = fd.get(), .events = POLLIN, .revents = 0};
  return ::poll(&ended, 1, 10'000) == 1;
}

/// Neither running nor a zombie.
inline bool is_gone(int pid) {
  return pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace curupira::test
