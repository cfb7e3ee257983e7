#pragma once

#include <sys/resource.h>

#include <array>

#include "launcher/sandbox.h"

namespace curupira::launcher {

/// The limits of the kernel that each process inside gets; made in the parent, applied in the child.
///
/// Memory is RLIMIT_DATA: RLIMIT_AS would stop node, which reserves far more addresses than it uses; the
/// mappings that RLIMIT_DATA does not count (shared anonymous memory, memfd) are closed by the system call
/// filter. Processes are RLIMIT_NPROC, which counts all processes of the user, so the limit is laid above
/// what he has. The kernel exempts root from it: there the PID namespace and the end of the whole tree bound
/// the harm.
class ResourceLimits {
 public:
  explicit ResourceLimits(const SandboxRules& rules);
  /// Only async-signal-safe calls. Returns 0 or an errno.
  int apply() const noexcept;

 private:
  struct Limit {
    int resource;
    rlim_t soft;
    rlim_t hard;
  };
  std::array<Limit, 5> limits_;
  rlim_t processes_;
};

}  // namespace curupira::launcher
