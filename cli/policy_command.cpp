#include <algorithm>
#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/policy_file.h"
#include "cli/policy_text.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "installer/installer.h"

namespace curupira::cli {
namespace {

/// Steps 2–9 of an installation that is not committed: what is known of the extension then. Error: any, also
/// that the policy refuses it.
Result<installer::PlannedExtension> prepare(const Invocation& invocation, const manifest::Policy& policy,
                                            const registry::Reference& reference, Diagnostics& diagnostics,
                                            Terminal& terminal) {
  const auto files = make_posix_file_system();
  CollectedDiagnostics ignored;  // they were said when the policy was read
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, ignored));
  const Installation installation(invocation, *files, &policy, settings ? &settings->registries : nullptr,
                                  diagnostics);
  InstallProgress progress(terminal, installation.clock());
  CURUPIRA_TRY(const auto prepared,
               installer::prepare_install(installation.tools(), std::span(&reference, 1),
                                          installation.options(), diagnostics, progress));
  progress.clear();
  return prepared.plan().extensions.front();
}

/// 45xx: the policy's own word, and no failure of this command.
bool is_refusal(const Error& error) {
  const int number = static_cast<int>(error.code());
  return number >= 4500 && number < 4600;
}

}  // namespace

Result<int> policy_test_command(const Invocation& invocation, const PolicyTestArguments& arguments,
                                Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto policy, read_policy(invocation, *files, diagnostics));
  const SystemClock clock;
  std::vector<PolicyDecision> decisions;
  for (const auto& text : arguments.references) {
    CURUPIRA_TRY(const auto reference, registry::parse_reference(text));
    const auto anchored = registry::anchored(reference, invocation.current_folder);
    PolicyDecision decision = decide(policy, registry::to_string(reference),
                                     registry::name_in_policy(anchored), release_age(policy, clock));
    if (arguments.resolve && !decision.refusal) {
      auto extension = prepare(invocation, policy, reference, diagnostics, terminal);
      if (extension)
        decision.extension = *std::move(extension);
      else if (is_refusal(extension.error()))
        decision.refusal = std::move(extension).error();
      else
        return fail(std::move(extension).error());
    }
    decisions.push_back(std::move(decision));
  }
  if (invocation.common.json)
    terminal.out() << json::write_pretty(decisions_to_json(policy, decisions));
  else
    print_decisions(terminal, policy, decisions);
  const bool refused =
      std::ranges::any_of(decisions, [](const auto& one) { return one.refusal.has_value(); });
  return refused ? 1 : 0;
}

}  // namespace curupira::cli
