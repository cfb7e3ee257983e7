#include "manifest/settings_sections.h"

#include <algorithm>

namespace curupira::manifest {
namespace {

constexpr std::string_view alias_rule = "letters, digits, '_' and '-'";
constexpr std::string_view package_manager = "package-manager";

Result<> check_alias(const TableReader& tables, const TableReader& table) {
  if (is_alias(table.name())) return {};
  return fail(
      settings_name_error(tables, tables.fields().key_position(table.name()), table.name(), alias_rule));
}

/// The tables of a table that has to have at least one.
Result<std::vector<TableReader>> at_least_one(TableReader& root, std::string_view name) {
  CURUPIRA_TRY(auto tables, root.table(name));
  CURUPIRA_TRY(auto all, tables.tables());
  if (all.empty()) return fail(root.wrong(name, "at least one table"));
  for (const TableReader& table : all)
    CURUPIRA_CHECK(check_alias(tables, table));
  return all;
}

/// Less strict than RelativePath: the existing host takes "a//b" and "./a".
bool stays_below(const std::filesystem::path& path) {
  return path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

Result<Repository> repository(TableReader& table, const std::filesystem::path& folder,
                              const std::filesystem::path& home) {
  Repository result;
  result.alias = table.name();
  CURUPIRA_TRY(result.remote, table.text("remote"));
  CURUPIRA_TRY(const auto path, table.optional_text("path"));
  if (path && !path->empty()) result.path = resolve_path(*path, folder, home);
  CURUPIRA_TRY(const auto script, table.optional_text("setup_script"));
  if (script && !script->empty()) {
    if (!stays_below(*script)) {
      return fail(table.wrong("setup_script", "a relative path without \"..\""));
    }
    result.setup_script = *script;
  }
  table.warn_about_unknown();
  return result;
}

/// The names of what a field may refer to, for the error.
template <class T>
Error unknown_reference(const TableReader& table, std::string_view field, std::string_view what,
                        const std::string& found, const std::vector<T>& all, std::string T::*name) {
  std::vector<std::string> known;
  for (const T& one : all)
    known.push_back(one.*name);
  const std::string defined = known.empty() ? "none is defined" : "defined: " + one_of(known);
  return table.wrong(ErrorCode::settings_reference, field,
                     std::string(what) + " (" + defined + ")" + did_you_mean(found, known));
}

Result<AgentProfile> profile(TableReader& table, const toml::Table& profiles) {
  AgentProfile result;
  result.name = table.name();
  result.position = profiles.key_position(table.name());
  CURUPIRA_TRY(result.provider, table.text("provider"));
  for (const auto& entry : table.fields())
    if (entry.name != "provider") result.options.set(entry.name, entry.value.to_json());
  return result;
}

Result<Plugin::Type> plugin_type(TableReader& table) {
  CURUPIRA_TRY(const auto name, table.text("type"));
  if (name == "npx") return Plugin::Type::npx;
  if (name == "uvx") return Plugin::Type::uvx;
  if (name == "installed") return Plugin::Type::installed;
  const std::vector<std::string> names{"npx", "uvx", "installed"};
  return fail(table.wrong("type", one_of(names) + did_you_mean(name, names)));
}

Result<std::vector<std::string>> variable_names(TableReader& table) {
  CURUPIRA_TRY(auto names, table.texts("env"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_variable_name(names[i])) {
      return fail(table.wrong_item("env", i, "the name of a variable, [A-Za-z_][A-Za-z0-9_]*"));
    }
  }
  return names;
}

Result<Plugin> plugin(TableReader& table, const toml::Table& plugins) {
  Plugin result;
  result.alias = table.name();
  result.position = plugins.key_position(table.name());
  CURUPIRA_TRY(result.type, plugin_type(table));
  if (result.type == Plugin::Type::installed) {
    CURUPIRA_TRY(result.extension_name, table.text("name"));
    if (result.extension_name.empty()) return fail(table.wrong("name", "the name of an installed extension"));
  } else {
    CURUPIRA_TRY(result.args, table.texts("args"));
    if (result.args.empty()) return fail(table.wrong("args", "an array with at least one string"));
  }
  CURUPIRA_TRY(result.tools, table.texts("tools"));
  CURUPIRA_TRY(result.env, variable_names(table));
  CURUPIRA_TRY(const auto fallback, table.optional_text("fallback"));
  if (fallback && *fallback != package_manager) {
    return fail(table.wrong("fallback", "\"" + std::string(package_manager) + "\""));
  }
  result.package_manager_fallback = fallback.has_value();
  table.warn_about_unknown();
  return result;
}

/// An automation without `trigger_type` is cron when it has a schedule; else the existing host takes its own
/// triggers.
Result<std::string> trigger_type(TableReader& table, const Settings& settings) {
  CURUPIRA_TRY(auto type, table.optional_text("trigger_type"));
  if (type) return *std::move(type);
  if (table.has("schedule")) return std::string("cron");
  constexpr std::string_view default_alias = "plugins-py";
  constexpr std::string_view default_trigger = "plugins-py/github-issues";
  if (settings.find_plugin(default_alias) == nullptr) {
    return fail(table.wrong("trigger_type", "\"<plugin>/<trigger>\", or \"cron\" with a schedule"));
  }
  table.document().note(table.position(), "table \"" + table.path() + "\" has no trigger_type: \"" +
                                              std::string(default_trigger) + "\"");
  return std::string(default_trigger);
}

Result<> check_schedule(TableReader& table) {
  constexpr std::string_view expected = "a cron expression of five fields, like \"30 7 * * 1-5\"";
  const toml::Value* value = table.find("schedule");
  const std::string* schedule = value != nullptr ? value->as_string() : nullptr;
  if (schedule == nullptr) return fail(table.wrong("schedule", expected));
  int fields = 0;
  bool inside = false;
  for (const char c : *schedule) {
    const bool space = c == ' ' || c == '\t';
    if (!space && !inside) ++fields;
    inside = !space;
  }
  if (fields != 5) return fail(table.wrong("schedule", expected));
  return {};
}

Result<> check_trigger(TableReader& table, const Automation& automation, const Settings& settings) {
  if (automation.is_cron()) return check_schedule(table);
  const std::string alias = automation.plugin_alias();
  if (alias.empty() || automation.local_trigger().empty()) {
    return fail(
        table.wrong(ErrorCode::settings_reference, "trigger_type", "\"<plugin>/<trigger>\" or \"cron\""));
  }
  if (settings.find_plugin(alias) == nullptr) {
    return fail(unknown_reference(table, "trigger_type", "a trigger of a plugin in [plugins]", alias,
                                  settings.plugins, &Plugin::alias));
  }
  return {};
}

Result<Automation::Checkout> checkout(TableReader& table) {
  CURUPIRA_TRY(const auto name, table.optional_text("checkout"));
  if (name == "main") return Automation::Checkout::main;
  if (name && *name != "worktree") {
    // The existing host takes any text.
    table.document().warn(table.position_of("checkout"),
                          "field \"" + table.path() + ".checkout\": expected " +
                              one_of({"worktree", "main"}) + ", found " + describe(*table.find("checkout")) +
                              "; it is taken as \"worktree\"");
  }
  return Automation::Checkout::worktree;
}

Result<Automation> automation(TableReader& table, const toml::Table& automations, const Settings& settings) {
  Automation result;
  result.name = table.name();
  result.position = automations.key_position(table.name());
  CURUPIRA_TRY(result.trigger_type, trigger_type(table, settings));
  CURUPIRA_TRY(result.repository, table.text("repository"));
  CURUPIRA_TRY(result.prompt, table.text("prompt"));
  CURUPIRA_TRY(result.profile, table.optional_text("profile"));
  CURUPIRA_TRY(result.checkout, checkout(table));
  if (settings.find_repository(result.repository) == nullptr) {
    return fail(unknown_reference(table, "repository", "an alias in [repositories]", result.repository,
                                  settings.repositories, &Repository::alias));
  }
  if (result.profile && settings.find_profile(*result.profile) == nullptr) {
    return fail(unknown_reference(table, "profile", "a name in [agents.profiles]", *result.profile,
                                  settings.profiles, &AgentProfile::name));
  }
  CURUPIRA_CHECK(check_trigger(table, result, settings));
  for (const auto& entry : table.fields())
    result.table.set(entry.name, entry.value.to_json());
  return result;
}

}  // namespace

Result<> read_repositories(TableReader& root, const std::filesystem::path& home, Settings& settings) {
  CURUPIRA_TRY(auto tables, at_least_one(root, "repositories"));
  for (TableReader& table : tables) {
    CURUPIRA_TRY(auto one, repository(table, settings.file.parent_path(), home));
    settings.repositories.push_back(std::move(one));
  }
  return {};
}

Result<> read_agents(TableReader& root, Settings& settings) {
  CURUPIRA_TRY(auto agents, root.table("agents"));
  CURUPIRA_TRY(auto defaults, agents.table("defaults"));
  CURUPIRA_TRY(settings.default_profile, defaults.text("profile"));
  CURUPIRA_TRY(auto timezone, defaults.optional_text("timezone"));
  if (timezone) settings.timezone = *std::move(timezone);
  defaults.warn_about_unknown();
  CURUPIRA_TRY(auto profiles, agents.table("profiles"));
  CURUPIRA_TRY(auto tables, profiles.tables());
  for (TableReader& table : tables) {
    CURUPIRA_TRY(auto one, profile(table, profiles.fields()));
    if (!is_alias(one.name)) {
      // The existing host checks the other names, but not these.
      profiles.document().warn(one.position,
                               settings_name_error(profiles, one.position, one.name, alias_rule).detail());
    }
    settings.profiles.push_back(std::move(one));
  }
  agents.warn_about_unknown();
  if (settings.find_profile(settings.default_profile) == nullptr) {
    return fail(unknown_reference(defaults, "profile", "a name in [agents.profiles]",
                                  settings.default_profile, settings.profiles, &AgentProfile::name));
  }
  return {};
}

Result<> read_plugins(TableReader& root, Settings& settings) {
  CURUPIRA_TRY(auto plugins, root.optional_table("plugins"));
  if (!plugins) return {};
  CURUPIRA_TRY(auto tables, plugins->tables());
  for (TableReader& table : tables) {
    CURUPIRA_CHECK(check_alias(*plugins, table));
    CURUPIRA_TRY(auto one, plugin(table, plugins->fields()));
    settings.plugins.push_back(std::move(one));
  }
  return {};
}

Result<> read_automations(TableReader& root, Settings& settings) {
  CURUPIRA_TRY(auto tables, at_least_one(root, "automations"));
  const toml::Table& automations = *root.find("automations")->as_table();
  for (TableReader& table : tables) {
    CURUPIRA_TRY(auto one, automation(table, automations, settings));
    settings.automations.push_back(std::move(one));
  }
  return {};
}

}  // namespace curupira::manifest
