#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.h"
#include "base/environment.h"
#include "base/result.h"

namespace curupira::launcher {

/// What keeps a package's code in (design.md §5): namespaces by bubblewrap, Landlock with seccomp, or
/// nothing.
enum class SandboxLevel { bubblewrap, landlock, none };
std::string_view name_of(SandboxLevel level);

/// What the code inside may see and use.
struct SandboxRules {
  std::vector<std::filesystem::path> readable =
      {};                                 ///< package and interpreter; all else is not there or not readable
  std::filesystem::path home = {};        ///< an empty folder, the only writable one
  std::uint64_t max_memory = 2ull << 30;  ///< bytes of private writable memory, each process
  int max_processes = 64;                 ///< beyond those that the user has; not enforced for root
  int max_open_files = 256;
  std::uint64_t max_file_size = 16u << 20;  ///< bytes
  int max_cpu_seconds = 20;
};

/// A way to start a program that cannot reach the network, the user's files or other processes.
class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual SandboxLevel level() const = 0;
  /// Changes `spec` so that it starts inside. `spec.argv` and its environment are the program's.
  virtual Result<> confine(ChildSpec& spec, const SandboxRules& rules) = 0;
};

/// What of the machine allows which level: found once by trying, for messages and `doctor`.
struct SandboxSupport {
  SandboxLevel best = SandboxLevel::none;
  std::vector<std::string> reasons =
      {};  ///< one for each better level that is missing: "bubblewrap: bwrap is not on PATH"
};

/// `bubblewrap` or `landlock` in this variable allows only that level, anything else (`none`) none of them:
/// for machines where the better one fails later than the trial, and for tests.
inline constexpr std::string_view sandbox_variable = "CURUPIRA_SANDBOX";

/// Starts `true` once at each level until one works.
SandboxSupport detect_sandbox(const Environment& environment);
/// `none` confines nothing but the resource limits.
std::unique_ptr<Sandbox> make_sandbox(SandboxLevel level, const Environment& environment);

}  // namespace curupira::launcher
