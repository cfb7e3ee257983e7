#include "runtime/automation_examination.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "runtime/call_failure.h"
#include "runtime/tool_globs.h"

namespace curupira::runtime {
namespace {

constexpr std::size_t max_refusal_bytes = 4000;

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

std::string doing(const manifest::Automation& automation, const manifest::Settings& settings) {
  std::string text =
      "checking automation " + in_quotes(automation.name) + " (" + printable(settings.file.string());
  if (automation.position.line > 0) {
    text += ":" + std::to_string(automation.position.line) + ":" + std::to_string(automation.position.column);
  }
  return text + ")";
}

Error trigger_unknown(const manifest::Automation& automation, const std::string& why) {
  return Error(ErrorCode::trigger_unknown,
               "trigger_type is " + in_quotes(automation.trigger_type) + ", but " + why);
}

Error refused(const ValidationOutcome& outcome, const ExtensionIdentity& identity) {
  const std::string_view said =
      outcome.error.empty() ? "invalid configuration" : std::string_view(outcome.error);
  return Error(ErrorCode::trigger_refused,
               printable(identity.name) + " " + printable(identity.version) +
                   " says: " + printable(said.substr(0, max_refusal_bytes), true) +
                   (said.size() > max_refusal_bytes ? "…" : ""));
}

}  // namespace

std::optional<AcceptedAutomation> AutomationExamination::examine(const manifest::Automation& automation,
                                                                 std::vector<Error>& errors) {
  const auto report = [&](Error error) {
    errors.push_back(std::move(error).while_doing(doing(automation, inputs_.settings)));
  };
  const std::size_t errors_before = errors.size();
  auto prompt = Prompt::parse(automation.prompt);
  if (!prompt) report(std::move(prompt).error());
  const auto check_names = [&](const std::vector<std::string>& declared) {
    if (!prompt) return;
    for (auto& error : check_prompt_names(*prompt, declared, automation.name, diagnostics_))
      report(std::move(error));
  };
  if (automation.is_cron()) {
    check_names(host_fields());
    return std::nullopt;
  }

  auto found = session_of(automation);
  if (!found) {
    report(std::move(found).error());
    return std::nullopt;
  }
  const auto [session, plugin] = *found;
  if (auto known = check_trigger(automation, *plugin, *session); !known) {
    report(std::move(known).error());
    return std::nullopt;
  }
  auto schema = session->schema(automation.local_trigger());
  if (!schema) {
    report(std::move(schema).error());
    if (!session->alive()) return std::nullopt;
  } else {
    check_names(schema->prompt_fields);
  }
  auto configuration = validate(automation, *session);
  if (!configuration) report(std::move(configuration).error());
  if (errors.size() > errors_before) return std::nullopt;
  return AcceptedAutomation{automation, *session, automation.local_trigger(), *std::move(configuration),
                            *std::move(prompt)};
}

Result<std::pair<ExtensionSession*, const manifest::Plugin*>> AutomationExamination::session_of(
    const manifest::Automation& automation) {
  const auto* plugin = inputs_.settings.find_plugin(automation.plugin_alias());
  if (plugin == nullptr) {
    return fail(trigger_unknown(
        automation, "no [plugins." + printable(automation.plugin_alias()) + "] of the settings provides it"));
  }
  const auto environment = extension_environment(inputs_.environment, inputs_.settings, *plugin);
  auto target = targets_.find(plugin->alias);
  if (target == targets_.end()) {
    CURUPIRA_TRY(auto found, find_plugin_target(*plugin, inputs_.settings.policy, inputs_.installed,
                                                inputs_.home, inputs_.environment, diagnostics_));
    target = targets_.emplace(plugin->alias, std::move(found)).first;
  }
  CURUPIRA_TRY(ExtensionSession * session, pool_.session(target->second, environment));
  return std::pair(session, plugin);
}

Result<> AutomationExamination::check_trigger(const manifest::Automation& automation,
                                              const manifest::Plugin& plugin, ExtensionSession& session) {
  auto known = triggers_.find(&session);
  if (known == triggers_.end()) {
    CURUPIRA_TRY(const auto described, session.describe());
    std::vector<std::string> names;
    for (const auto& trigger : described)
      names.push_back(trigger.trigger_type);
    known = triggers_.emplace(&session, std::move(names)).first;
  }
  const auto& names = known->second;
  const std::string local = automation.local_trigger();
  if (std::ranges::find(names, local) == names.end()) {
    const auto near = nearest_name(local, names);
    return fail(trigger_unknown(automation, printable(session.identity().name) + " " +
                                                printable(session.identity().version) + " has no trigger " +
                                                in_quotes(local) +
                                                (near ? " (did you mean " + in_quotes(*near) + "?)" : "") +
                                                "; it has " + listed(names)));
  }
  if (!tools_allow(plugin.tools, local)) {
    return fail(trigger_unknown(automation, "`tools` of [plugins." + printable(plugin.alias) +
                                                "] leaves it out: " + listed(plugin.tools)));
  }
  return {};
}

Result<json::Value> AutomationExamination::validate(const manifest::Automation& automation,
                                                    ExtensionSession& session) {
  CURUPIRA_TRY(auto outcome, session.validate(automation.local_trigger(), automation.table));
  if (!outcome.ok) return fail(refused(outcome, session.identity()));
  // An extension that normalises nothing gets the table as it is written.
  return outcome.configuration ? *std::move(outcome.configuration) : json::Value(automation.table);
}

}  // namespace curupira::runtime
