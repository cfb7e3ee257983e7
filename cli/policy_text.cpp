#include "cli/policy_text.h"

#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "cli/report.h"
#include "manifest/policy_evaluation.h"
#include "manifest/registry_settings.h"

namespace curupira::cli {
namespace {

using Effect = PolicyRuleText::Effect;

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + in_quotes(name);
  return "[" + text + "]";
}

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::allows:
      return "allows";
    case Effect::refuses:
      return "refuses";
    case Effect::applies:
      return "applies";
  }
  return "applies";
}

/// `deny` and `allow`; true when they let the reference pass.
void add_reference_rules(const manifest::Policy& policy, const std::string& name, PolicyDecision& decision) {
  if (const auto violation = manifest::check_reference(policy, name)) {
    decision.rules.push_back({Effect::refuses, violation->rule, violation->position.line, violation->found});
    decision.refusal = manifest::policy_error(policy, std::span(&*violation, 1));
    return;
  }
  if (!policy.allow) return;
  for (const auto& pattern : *policy.allow) {
    if (pattern.matches(name))
      decision.rules.push_back(
          {Effect::allows, "allow " + in_quotes(pattern.text), pattern.position.line, {}});
  }
}

/// What is decided later, when the package is known.
void add_package_rules(const manifest::Policy& policy, const std::string& name,
                       const std::optional<registry::ReleaseAge>& age, PolicyDecision& decision) {
  const auto add = [&](std::string rule, TextPosition position, std::string found = {}) {
    decision.rules.push_back({Effect::applies, std::move(rule), position.line, std::move(found)});
  };
  if (const auto* const rule = policy.minimum_level(name))
    add("minimum_level " + in_quotes(manifest::name_of(rule->level)), rule->position);
  const bool of_registry = manifest::is_registry_name(std::string_view(name).substr(0, name.find(':')));
  const bool chosen = name.starts_with("npm:") || name.starts_with("pip:") || of_registry;
  if (policy.minimum_release_age && age && chosen)
    add("minimum_release_age " + in_quotes(policy.minimum_release_age->text),
        policy.minimum_release_age->position, "released by " + age->latest_text());
  if (policy.max_package_size)
    add("max_package_size of " + format_bytes(policy.max_package_size->bytes),
        policy.max_package_size->position);
  if (policy.permissions)
    add("permissions " + listed(policy.permissions->globs), policy.permissions->position);
  if (policy.runtimes) add("runtimes " + listed(policy.runtimes->globs), policy.runtimes->position);
  if (policy.allow_probe && !policy.allow_probe->allowed)
    add("allow_probe = false", policy.allow_probe->position);
  if (policy.allow_yanked && !policy.allow_yanked->allowed && (name.starts_with("pip:") || of_registry))
    add("allow_yanked = false", policy.allow_yanked->position);
}

std::uint64_t size_of(const installer::PlannedExtension& extension) {
  std::uint64_t size = 0;
  for (const auto& artifact : extension.artifacts)
    size += artifact.size;
  return size;
}

void print_refusal(Terminal& terminal, const Error& refusal) {
  auto& out = terminal.out();
  out << "    " << error_name(refusal.code()) << ": " << error_info(refusal.code()).title << '\n';
  std::string_view rest = refusal.detail();
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    out << "      " << printable(rest.substr(0, end)) << '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

PolicyDecision decide(const manifest::Policy& policy, std::string reference, const std::string& name,
                      const std::optional<registry::ReleaseAge>& age) {
  PolicyDecision decision{.reference = std::move(reference), .rules = {}, .refusal = {}};
  add_reference_rules(policy, name, decision);
  if (!decision.refusal) add_package_rules(policy, name, age, decision);
  return decision;
}

void print_decisions(Terminal& terminal, const manifest::Policy& policy,
                     const std::vector<PolicyDecision>& decisions) {
  auto& out = terminal.out();
  if (policy.empty()) out << printable(policy.file.string()) << " has no [policy]: everything is allowed\n";
  for (const auto& decision : decisions) {
    const auto verdict = decision.refusal ? terminal.out_styled(Terminal::Style::red, "refused")
                                          : terminal.out_styled(Terminal::Style::green, "allowed");
    out << printable(decision.reference) << ": " << verdict << '\n';
    for (const auto& rule : decision.rules) {
      out << "    line " << rule.line << ": " << rule.rule;
      if (!rule.found.empty()) out << ": " << rule.found;
      out << '\n';
    }
    const bool known_from_rules = std::ranges::any_of(
        decision.rules, [](const PolicyRuleText& rule) { return rule.effect == Effect::refuses; });
    if (decision.refusal && !known_from_rules) print_refusal(terminal, *decision.refusal);
    if (const auto& extension = decision.extension)
      out << "    it is " << printable(extension->name) << ' ' << printable(extension->version) << ", "
          << extension->artifacts.size() << (extension->artifacts.size() == 1 ? " file, " : " files, ")
          << format_bytes(size_of(*extension)) << ", permissions " << listed(extension->permissions) << '\n';
  }
}

json::Value decisions_to_json(const manifest::Policy& policy, const std::vector<PolicyDecision>& decisions) {
  json::Array references;
  for (const auto& decision : decisions) {
    json::Array rules;
    for (const auto& rule : decision.rules) {
      json::Object object;
      object.set("effect", name_of(rule.effect));
      object.set("rule", rule.rule);
      object.set("line", rule.line);
      if (!rule.found.empty()) object.set("found", rule.found);
      rules.emplace_back(std::move(object));
    }
    json::Object object;
    object.set("reference", decision.reference);
    object.set("allowed", !decision.refusal);
    object.set("rules", std::move(rules));
    if (decision.refusal) object.set("error", error_to_json(*decision.refusal));
    if (decision.extension) {
      object.set("name", decision.extension->name);
      object.set("version", decision.extension->version);
      object.set("size", size_of(*decision.extension));
    }
    references.emplace_back(std::move(object));
  }
  json::Object document;
  document.set("schema", "curupira.policy.test.v1");
  document.set("file", policy.file.string());
  document.set("references", std::move(references));
  return document;
}

}  // namespace curupira::cli
