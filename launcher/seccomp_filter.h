#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira::launcher {

/// A seccomp program of the kernel: each element one instruction.
using BpfProgram = std::vector<std::uint64_t>;

/// What the filter has to refuse in place of the rest of the sandbox.
struct SeccompOptions {
  bool forbid_signals = false;          ///< neither a PID namespace nor Landlock scopes keep signals in
  bool forbid_file_attributes = false;  ///< mode, owner, times, xattr: Landlock does not look at them
  bool forbid_new_sessions = false;     ///< no PID namespace ends what left the process group
  bool forbid_truncate = false;         ///< by path: Landlock looks at it from ABI 3 on
};

/// The filter of both sandboxes: no sockets but connected stream pairs (child pipes of node), no tracing, no
/// mounts, no namespaces, no kernel keys, no io_uring (it would pass by the filter), no shared memory that
/// limits do not count. Everything else is allowed: node and python must start. Error: sandbox_unavailable.
Result<BpfProgram> make_seccomp_filter(const SeccompOptions& options);

/// The program as a file in memory, for `bwrap --seccomp FD`. Error: sandbox_unavailable.
Result<UniqueFd> to_descriptor(const BpfProgram& program);

/// Installs it in the calling process for good. Only async-signal-safe calls. Returns 0 or an errno.
int install(const BpfProgram& program) noexcept;

}  // namespace curupira::launcher
