#include "base/orphan_guard.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/process_tree.h"
#include "base/system_error.h"

namespace curupira {
namespace {

constexpr std::chrono::milliseconds sweep_limit{4'000};

/// In the guard.
[[noreturn]] void watch(int lifeline, int host) {
  ::setsid();
  ::prctl(PR_SET_NAME, "curupira-guard");
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2})
    ::signal(signal, SIG_IGN);
  // It must hold open nothing of ours: no lock, no pipe that somebody waits for the end of.
  ::dup2(lifeline, STDIN_FILENO);
  if (::close_range(STDIN_FILENO + 1, ~0u, 0) != 0) {
    for (int fd = STDIN_FILENO + 1; fd < 65'536; ++fd)
      ::close(fd);  // a kernel before 5.9
  }
  char farewell = 0;
  const auto count = retry_interrupted([&] { return ::read(STDIN_FILENO, &farewell, 1); });
  if (count <= 0) kill_marked_processes(mark_prefix_of(host), sweep_limit);
  ::_exit(0);
}

}  // namespace

Result<OrphanGuard> OrphanGuard::start() {
  std::array<int, 2> ends;
  // A socket pair and not a pipe: sending to a guard that somebody killed can be told not to raise SIGPIPE.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(ErrorCode::spawn_failed, "no socket to the guard process: " + system_reason(errno));
  }
  const UniqueFd theirs(ends[0]);
  UniqueFd ours(ends[1]);
  const int host = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return fail(ErrorCode::spawn_failed, "no guard process: " + system_reason(errno));
  if (pid == 0) watch(theirs.get(), host);
  return OrphanGuard(std::move(ours), pid);
}

OrphanGuard::~OrphanGuard() {
  if (!lifeline_) return;
  const char farewell = 0;
  ::send(lifeline_.get(), &farewell, 1, MSG_NOSIGNAL);
  lifeline_.reset();
  retry_interrupted([&] { return ::waitpid(pid_, nullptr, 0); });
}

}  // namespace curupira
