#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "cli/doctor_findings.h"
#include "launcher/sandbox.h"

namespace curupira::cli {

/// The kernel's switches that decide over sandboxes; nothing where it has no such switch.
struct KernelSwitches {
  std::optional<std::string> unprivileged_namespaces = {};  ///< kernel.unprivileged_userns_clone
  std::optional<std::string> apparmor_restriction = {};     ///< kernel.apparmor_restrict_unprivileged_userns
  std::optional<std::string> most_namespaces = {};          ///< user.max_user_namespaces
  std::optional<std::string> security_modules = {};         ///< "capability,landlock,yama"
};

KernelSwitches read_kernel_switches(const ReadOnlyFileSystem& files);

/// Which level packages without a manifest file are asked in, and what a better one needs.
Findings examine_sandbox(const launcher::SandboxSupport& support, const KernelSwitches& switches);

}  // namespace curupira::cli
