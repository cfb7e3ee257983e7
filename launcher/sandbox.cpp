#include "launcher/sandbox.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/printable.h"
#include "base/process_runner.h"
#include "launcher/bounded_run.h"
#include "launcher/bubblewrap_sandbox.h"
#include "launcher/landlock_sandbox.h"
#include "launcher/resource_limits.h"

namespace curupira::launcher {

namespace {

constexpr RunBounds trial_bounds{.time = std::chrono::seconds(5), .output = 4096, .error_tail = 1024};

/// The resource limits alone.
class NoSandbox final : public Sandbox {
 public:
  SandboxLevel level() const override { return SandboxLevel::none; }
  Result<> confine(ChildSpec& spec, const SandboxRules& rules) override {
    if (!rules.home.empty()) {
      spec.environment.set("HOME", rules.home.string());
      spec.environment.set("TMPDIR", rules.home.string());
      if (!spec.cwd) spec.cwd = rules.home;
    }
    spec.before_exec = [limits = ResourceLimits(rules)] { return limits.apply(); };
    return {};
  }
};

std::string first_line(std::string_view text) {
  return printable(text.substr(0, text.find('\n')));
}

/// Why `true` does not run in the sandbox; nothing when it does.
std::optional<std::string> trial_failure(Sandbox& sandbox) {
  const char* program = ::access("/usr/bin/true", X_OK) == 0 ? "/usr/bin/true" : "/bin/true";
  ChildSpec spec{.argv = {program}, .environment = Environment()};
  if (auto confined = sandbox.confine(spec, SandboxRules{}); !confined) return confined.error().detail();
  auto run = run_bounded(spec, trial_bounds);
  if (!run) return run.error().detail();
  if (run->end == BoundedRun::End::out_of_time) return "a trial run did not end";
  if (run->status.success()) return std::nullopt;
  if (run->error_tail.empty()) return "a trial run ended with " + run->status.to_string();
  return first_line(run->error_tail);
}

std::optional<std::string> missing(SandboxLevel level, const Environment& environment) {
  if (level == SandboxLevel::bubblewrap && !find_program(environment, "bwrap")) return "bwrap is not on PATH";
  if (level == SandboxLevel::landlock && landlock_abi() == 0)
    return "the kernel has no Landlock, or it is switched off";
  const auto sandbox = make_sandbox(level, environment);
  return trial_failure(*sandbox);
}

}  // namespace

std::string_view name_of(SandboxLevel level) {
  switch (level) {
    case SandboxLevel::bubblewrap:
      return "bubblewrap";
    case SandboxLevel::landlock:
      return "landlock";
    case SandboxLevel::none:
      break;
  }
  return "none";
}

SandboxSupport detect_sandbox(const Environment& environment) {
  SandboxSupport support;
  const std::string forced = environment.get_or(sandbox_variable, "");
  for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
    if (!forced.empty() && forced != name_of(level)) {
      support.reasons.push_back(std::string(name_of(level)) + ": " + std::string(sandbox_variable) +
                                " is \"" + printable(forced) + "\"");
      continue;
    }
    if (auto reason = missing(level, environment)) {
      support.reasons.push_back(std::string(name_of(level)) + ": " + *reason);
      continue;
    }
    support.best = level;
    return support;
  }
  return support;
}

std::unique_ptr<Sandbox> make_sandbox(SandboxLevel level, const Environment& environment) {
  switch (level) {
    case SandboxLevel::bubblewrap:
      return std::make_unique<BubblewrapSandbox>(
          find_program(environment, "bwrap").value_or("/usr/bin/bwrap"));
    case SandboxLevel::landlock:
      return std::make_unique<LandlockSandbox>(landlock_abi());
    case SandboxLevel::none:
      break;
  }
  return std::make_unique<NoSandbox>();
}

}  // namespace curupira::launcher
