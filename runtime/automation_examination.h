#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/automation_check.h"
#include "runtime/extension_pool.h"
#include "runtime/prompt.h"

namespace curupira::runtime {

/// An automation that its extension accepts.
struct AcceptedAutomation {
  const manifest::Automation& automation;
  ExtensionSession& session;
  std::string trigger;        ///< local
  json::Value configuration;  ///< with the extension's defaults
  Prompt prompt;
};

/// Asks extensions about automations: what `validate` and `run --dry-run` have in common. Keeps the
/// processes.
class AutomationExamination {
 public:
  AutomationExamination(const RuntimeInputs& inputs, Diagnostics& diagnostics)
      : inputs_(inputs), diagnostics_(diagnostics), pool_(inputs.home, inputs.limits) {}

  /// Appends what is wrong with `automation` to `errors`; nothing when it cannot be polled. Cron automations
  /// have only their prompt looked at.
  std::optional<AcceptedAutomation> examine(const manifest::Automation& automation,
                                            std::vector<Error>& errors);

 private:
  Result<std::pair<ExtensionSession*, const manifest::Plugin*>> session_of(
      const manifest::Automation& automation);
  Result<> check_trigger(const manifest::Automation& automation, const manifest::Plugin& plugin,
                         ExtensionSession& session);
  Result<json::Value> validate(const manifest::Automation& automation, ExtensionSession& session);

  const RuntimeInputs& inputs_;
  Diagnostics& diagnostics_;
  ExtensionPool pool_;
  std::map<std::string, PluginTarget> targets_;  ///< by alias, so that a warning comes once
  std::map<const ExtensionSession*, std::vector<std::string>> triggers_;
};

}  // namespace curupira::runtime
