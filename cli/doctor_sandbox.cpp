#include "cli/doctor_sandbox.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using launcher::SandboxLevel;

constexpr std::size_t max_switch_bytes = 4096;

std::optional<std::string> read_switch(const ReadOnlyFileSystem& files, const char* path) {
  auto text = files.read_file(path, max_switch_bytes);
  if (!text) return std::nullopt;
  while (text->ends_with('\n'))
    text->pop_back();
  return *std::move(text);
}

std::string forced_remedy() {
  return "unset " + std::string(launcher::sandbox_variable) + " to use the best level of this machine";
}

std::string bubblewrap_remedy(std::string_view reason, const KernelSwitches& switches) {
  if (reason.find("not on PATH") != std::string_view::npos) return "install the package bubblewrap";
  if (switches.unprivileged_namespaces == "0")
    return "kernel.unprivileged_userns_clone is 0: `sysctl kernel.unprivileged_userns_clone=1` allows users "
           "to make namespaces";
  if (switches.most_namespaces == "0")
    return "user.max_user_namespaces is 0: `sysctl user.max_user_namespaces=10000` allows namespaces";
  if (switches.apparmor_restriction == "1")
    return "kernel.apparmor_restrict_unprivileged_userns is 1: install an AppArmor profile that gives bwrap "
           "`userns`, or set the switch to 0";
  return "in a container, its seccomp and AppArmor profiles have to allow user namespaces and mounts";
}

std::string landlock_remedy(const KernelSwitches& switches) {
  const auto& modules = switches.security_modules;
  if (modules && modules->find("landlock") == std::string::npos)
    return "this kernel started with lsm=" + *modules + ": add landlock to that boot option";
  return "Landlock needs Linux 5.13 or later, with CONFIG_SECURITY_LANDLOCK; in a container, its seccomp "
         "profile has to allow it";
}

std::string remedy_for(std::string_view reason, const KernelSwitches& switches) {
  if (reason.find(launcher::sandbox_variable) != std::string_view::npos) return forced_remedy();
  if (reason.starts_with(launcher::name_of(SandboxLevel::landlock))) return landlock_remedy(switches);
  return bubblewrap_remedy(reason, switches);
}

std::string_view what_it_is(SandboxLevel level) {
  switch (level) {
    case SandboxLevel::bubblewrap:
      return "bubblewrap: packages without a manifest file are asked in namespaces of their own";
    case SandboxLevel::landlock:
      return "landlock: packages without a manifest file are asked behind Landlock and a system call filter";
    case SandboxLevel::none:
      break;
  }
  return "none: packages without a manifest file cannot be asked for it, and are refused";
}

}  // namespace

KernelSwitches read_kernel_switches(const ReadOnlyFileSystem& files) {
  return {
      .unprivileged_namespaces = read_switch(files, "/proc/sys/kernel/unprivileged_userns_clone"),
      .apparmor_restriction = read_switch(files, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
      .most_namespaces = read_switch(files, "/proc/sys/user/max_user_namespaces"),
      .security_modules = read_switch(files, "/sys/kernel/security/lsm")};
}

Findings examine_sandbox(const launcher::SandboxSupport& support, const KernelSwitches& switches) {
  const bool none = support.best == SandboxLevel::none;
  Findings findings{
      {.area = "sandbox",
       .level = none ? Level::warning : Level::ok,
       .subject = "level",
       .what = std::string(what_it_is(support.best)),
       .remedy = none ? "see below; or `--probe-unsandboxed` where you trust the package" : ""}};
  for (const std::string& reason : support.reasons) {
    findings.push_back({.area = "sandbox",
                        .level = none ? Level::warning : Level::note,
                        .subject = "not there",
                        .what = reason,
                        .remedy = remedy_for(reason, switches)});
  }
  return findings;
}

}  // namespace curupira::cli
