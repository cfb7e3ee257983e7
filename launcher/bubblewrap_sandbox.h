#pragma once

#include <filesystem>

#include "launcher/sandbox.h"

namespace curupira::launcher {

/// Namespaces by bubblewrap: a file system that holds only what may be read, no network, no other process, no
/// host name, no IPC; the system call filter and the resource limits besides. Works as root and as anyone who
/// may make namespaces.
class BubblewrapSandbox final : public Sandbox {
 public:
  /// `bwrap`: the program's absolute path.
  explicit BubblewrapSandbox(std::filesystem::path bwrap) : bwrap_(std::move(bwrap)) {}

  SandboxLevel level() const override { return SandboxLevel::bubblewrap; }
  Result<> confine(ChildSpec& spec, const SandboxRules& rules) override;

 private:
  std::filesystem::path bwrap_;
};

}  // namespace curupira::launcher
