#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace curupira {

/// A descriptor that means one process, also when its number is given away; readable once it has ended.
/// Empty with errno when there is none. (By system call: the header of older C libraries cannot be used from
/// C++.)
inline UniqueFd open_pidfd(int pid) {
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// 0, or -1 with errno.
inline int signal_pidfd(const UniqueFd& process, int signal) {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0));
}

}  // namespace curupira
