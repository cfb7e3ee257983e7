#pragma once

#include "launcher/sandbox.h"

namespace curupira::launcher {

/// The newest Landlock ABI of this kernel; 0 when it has none or it is switched off.
int landlock_abi();

/// Landlock and a system call filter, for machines without namespaces: other files cannot be read or written
/// (that they exist can be seen), no socket, no signal to and no look into other processes, no capabilities
/// even for root. What the kernel's Landlock cannot do yet (signals before ABI 6, truncation before ABI 3)
/// the filter refuses.
class LandlockSandbox final : public Sandbox {
 public:
  /// `abi`: at most what landlock_abi() says; less for tests of older kernels' rules.
  explicit LandlockSandbox(int abi) : abi_(abi) {}

  SandboxLevel level() const override { return SandboxLevel::landlock; }
  Result<> confine(ChildSpec& spec, const SandboxRules& rules) override;

 private:
  int abi_;
};

}  // namespace curupira::launcher
