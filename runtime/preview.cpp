#include <set>

#include "base/printable.h"
#include "runtime/automation_check.h"
#include "runtime/automation_examination.h"
#include "runtime/identity.h"

namespace curupira::runtime {
namespace {

/// Polls automations and keeps every task once.
class PreviewRound {
 public:
  PreviewRound(const RuntimeInputs& inputs, Preview& preview) : inputs_(inputs), preview_(preview) {}

  /// One round: until there is nothing, at most `batch_size` polls.
  void poll(const AcceptedAutomation& accepted) {
    const auto& automation = accepted.automation;
    const auto* repository = inputs_.settings.find_repository(automation.repository);
    const std::string forge =
        repository == nullptr ? std::string() : manifest::forge_identity(repository->remote);
    const auto batch_size = inputs_.settings.polling.batch_size;
    for (std::uint32_t n = 0; n < batch_size; ++n) {
      auto item = accepted.session.poll(accepted.trigger, accepted.configuration, true, batch_size);
      if (!item) return report(std::move(item).error(), automation);
      if (!*item) return;
      const std::string key = task_key(automation.name, forge, automation.trigger_type, **item);
      if (!seen_.insert(key).second) continue;
      auto prompt = accepted.prompt.render(**item, forge, automation.name);
      if (!prompt) {
        report(std::move(prompt).error(), automation);
        continue;
      }
      preview_.tasks.push_back({key, *std::move(prompt)});
    }
  }

 private:
  void report(Error error, const manifest::Automation& automation) {
    preview_.errors.push_back(
        std::move(error).while_doing("polling automation \"" + printable(automation.name) + "\""));
  }

  const RuntimeInputs& inputs_;
  Preview& preview_;
  std::set<std::string> seen_;
};

}  // namespace

Preview preview_tasks(const RuntimeInputs& inputs, Diagnostics& diagnostics) {
  Preview preview;
  AutomationExamination examination(inputs, diagnostics);
  PreviewRound round(inputs, preview);
  for (const auto& automation : inputs.settings.automations) {
    if (automation.is_cron()) {
      diagnostics.note("automation \"" + printable(automation.name) +
                       "\" is passed over: its schedule is kept by a later version");
    }
    if (const auto accepted = examination.examine(automation, preview.errors)) round.poll(*accepted);
  }
  return preview;
}

}  // namespace curupira::runtime
