#include "launcher/resource_limits.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace curupira::launcher {

namespace {

constexpr rlim_t grace_cpu_seconds = 5;  ///< between SIGXCPU and SIGKILL
constexpr rlim_t most_processes_tried = 1u << 20;

int lower(int resource, rlim_t soft, rlim_t hard) noexcept {
  const auto which = static_cast<__rlimit_resource_t>(resource);
  rlimit now{};
  if (::getrlimit(which, &now) != 0) return errno;
  const rlim_t top = std::min(hard, now.rlim_max);
  const rlimit wanted{.rlim_cur = std::min(soft, top), .rlim_max = top};
  return ::setrlimit(which, &wanted) == 0 ? 0 : errno;
}

/// Whether this user may have one process more.
bool can_fork() noexcept {
  const long child = ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) ::_exit(0);
  if (child < 0) return false;
  int status = 0;
  while (::waitpid(static_cast<pid_t>(child), &status, __WALL) < 0 && errno == EINTR) {
  }
  return true;
}

/// The kernel tells nobody how many processes a user has (other containers count too), but says when a limit
/// is below that number: double until one more is allowed, then leave room for `processes`.
void limit_processes(rlim_t processes) noexcept {
  rlimit before{};
  if (::getrlimit(RLIMIT_NPROC, &before) != 0) return;
  for (rlim_t base = processes; base < std::min(before.rlim_max, most_processes_tried); base *= 2) {
    const rlimit attempt{.rlim_cur = base, .rlim_max = before.rlim_max};
    if (::setrlimit(RLIMIT_NPROC, &attempt) != 0) break;
    if (!can_fork()) continue;
    lower(RLIMIT_NPROC, base + processes, base + processes);
    return;
  }
  ::setrlimit(RLIMIT_NPROC, &before);
}

}  // namespace

ResourceLimits::ResourceLimits(const SandboxRules& rules)
    : limits_{{{RLIMIT_DATA, rules.max_memory, rules.max_memory},
               {RLIMIT_NOFILE, static_cast<rlim_t>(rules.max_open_files),
                static_cast<rlim_t>(rules.max_open_files)},
               {RLIMIT_FSIZE, rules.max_file_size, rules.max_file_size},
               {RLIMIT_CPU, static_cast<rlim_t>(rules.max_cpu_seconds),
                static_cast<rlim_t>(rules.max_cpu_seconds) + grace_cpu_seconds},
               {RLIMIT_CORE, 0, 0}}},
      processes_(static_cast<rlim_t>(rules.max_processes)) {}

int ResourceLimits::apply() const noexcept {
  limit_processes(processes_);
  for (const Limit& limit : limits_)
    if (const int error = lower(limit.resource, limit.soft, limit.hard)) return error;
  return 0;
}

}  // namespace curupira::launcher
