#include <algorithm>
#include <limits>

#include "base/printable.h"
#include "manifest/policy_settings.h"
#include "manifest/settings.h"
#include "manifest/settings_sections.h"
#include "manifest/table_reader.h"

namespace curupira::manifest {
namespace {

namespace fs = std::filesystem;

constexpr int max_settings_depth = 64;
constexpr std::int64_t max_batch_size = 1000;
constexpr std::int64_t max_u32 = std::numeric_limits<std::uint32_t>::max();

/// A number of 32 bits. The existing host takes those outside the sensible range; so they are only warned
/// about.
Result<> read_number(TableReader& table, std::string_view name, std::uint32_t least, std::uint32_t most,
                     std::uint32_t& number) {
  CURUPIRA_TRY(const auto found, table.optional_integer(name, 0, max_u32));
  if (!found) return {};
  const auto wanted = static_cast<std::uint32_t>(*found);
  number = std::clamp(wanted, least, most);
  if (number != wanted) {
    table.document().warn(table.position_of(name), "field \"" + table.path() + "." + std::string(name) +
                                                       "\": " + std::to_string(wanted) + " is taken as " +
                                                       std::to_string(number));
  }
  return {};
}

Result<> read_number(TableReader& table, std::string_view name, std::uint32_t& number) {
  return read_number(table, name, 0, std::numeric_limits<std::uint32_t>::max(), number);
}

Result<> read_log_level(TableReader& table, LogLevel& level) {
  constexpr std::pair<std::string_view, LogLevel> levels[] = {{"DEBUG", LogLevel::debug},
                                                              {"INFO", LogLevel::info},
                                                              {"WARNING", LogLevel::warning},
                                                              {"ERROR", LogLevel::error},
                                                              {"CRITICAL", LogLevel::critical}};
  CURUPIRA_TRY(auto name, table.optional_text("log_level"));
  if (!name) return {};
  std::vector<std::string> names;
  for (const auto& [known, value] : levels)
    names.emplace_back(known);
  std::string upper = *name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  for (const auto& [known, value] : levels) {
    if (known != upper) continue;
    level = value;
    return {};
  }
  return fail(table.wrong("log_level", one_of(names) + did_you_mean(upper, names)));
}

Result<> read_path(TableReader& table, std::string_view name, const fs::path& folder, const fs::path& home,
                   fs::path& path) {
  CURUPIRA_TRY(const auto text, table.optional_text(name));
  if (text && !text->empty()) path = resolve_path(*text, folder, home);
  return {};
}

Result<> read_polling(TableReader& settings_table, Polling& polling) {
  CURUPIRA_TRY(auto table, settings_table.optional_table("polling"));
  if (!table) return {};
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  CURUPIRA_CHECK(read_number(*table, "poll_interval_seconds", 1, most, polling.poll_interval_seconds));
  CURUPIRA_CHECK(read_number(*table, "batch_size", 1, max_batch_size, polling.batch_size));
  CURUPIRA_CHECK(
      read_number(*table, "cron_poll_interval_seconds", 1, most, polling.cron_poll_interval_seconds));
  table->warn_about_unknown();
  return {};
}

Result<> read_extension_settings(TableReader& settings_table, ExtensionSettings& extensions) {
  CURUPIRA_TRY(auto table, settings_table.optional_table("extensions"));
  if (!table) return {};
  CURUPIRA_TRY(const auto environment, table->optional_text("environment"));
  if (environment && *environment != "inherit" && *environment != "clean") {
    return fail(table->wrong(
        "environment", one_of({"clean", "inherit"}) + did_you_mean(*environment, {"clean", "inherit"})));
  }
  extensions.inherit_environment = environment == "inherit";
  table->warn_about_unknown();
  return {};
}

Result<> read_settings_table(TableReader& root, const SettingsFolders& folders, Settings& settings) {
  settings.workspace_dir = folders.curupira / "workspaces";
  settings.state_db_path = folders.curupira / "state.sqlite3";
  CURUPIRA_TRY(auto table, root.optional_table("settings"));
  if (!table) return {};
  const fs::path folder = settings.file.parent_path();
  CURUPIRA_CHECK(read_number(*table, "max_active_tasks", 1, std::numeric_limits<std::uint32_t>::max(),
                             settings.max_active_tasks));
  CURUPIRA_CHECK(read_number(*table, "max_pending_tasks", settings.max_pending_tasks));
  CURUPIRA_CHECK(read_path(*table, "workspace_dir", folder, folders.home, settings.workspace_dir));
  CURUPIRA_CHECK(read_path(*table, "state_db_path", folder, folders.home, settings.state_db_path));
  CURUPIRA_TRY(settings.otlp_endpoint, table->optional_text("otlp_endpoint"));
  CURUPIRA_CHECK(read_log_level(*table, settings.log_level));
  CURUPIRA_CHECK(read_number(*table, "task_timeout_minutes", settings.task_timeout_minutes));
  CURUPIRA_TRY(const auto output, table->optional_integer("max_output_bytes", 0));
  if (output) settings.max_output_bytes = static_cast<std::uint64_t>(*output);
  CURUPIRA_CHECK(read_polling(*table, settings.polling));
  CURUPIRA_CHECK(read_extension_settings(*table, settings.extensions));
  table->warn_about_unknown();
  return {};
}

Result<> read_environment(TableReader& root, Settings& settings) {
  CURUPIRA_TRY(auto environment, root.optional_table("environment"));
  if (!environment) return {};
  CURUPIRA_TRY(auto variables, environment->optional_table("vars"));
  environment->warn_about_unknown();
  if (!variables) return {};
  for (const auto& entry : variables->fields()) {
    if (!is_variable_name(entry.name)) {
      return fail(settings_name_error(*variables, entry.key_position, entry.name,
                                      "the name of a variable, [A-Za-z_][A-Za-z0-9_]*"));
    }
    CURUPIRA_TRY(auto value, variables->text(entry.name));
    settings.environment_vars.emplace(entry.name, std::move(value));
  }
  return {};
}

/// `[lock]`: for which platforms the lock file beside the settings is.
Result<> read_lock(TableReader& root, Settings& settings) {
  CURUPIRA_TRY(auto table, root.optional_table("lock"));
  if (!table) return {};
  CURUPIRA_TRY(const auto names, table->texts("platforms"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto platform = Platform::parse(names[i]);
    if (!platform || !platform->is_known())
      return fail(table->wrong_item("platforms", i, "a platform, \"linux-x86_64\""));
    settings.lock_platforms.push_back(*std::move(platform));
  }
  table->warn_about_unknown();
  return {};
}

/// `[assistant]` belongs to a later version; its fields are checked as the existing host does.
Result<> check_assistant(TableReader& root) {
  CURUPIRA_TRY(auto table, root.optional_table("assistant"));
  if (!table) return {};
  CURUPIRA_CHECK(table->optional_text("agent"));
  CURUPIRA_CHECK(table->optional_text("model"));
  table->warn_about_unknown();
  return {};
}

}  // namespace

bool is_alias(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

bool is_variable_name(std::string_view name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  return is_alias(name) && name.find('-') == std::string_view::npos;
}

Error settings_name_error(const TableReader& table, TextPosition position, std::string_view name,
                          std::string_view expected) {
  constexpr std::size_t max_shown = 80;
  return table.document().error(ErrorCode::settings_field, position,
                                "name in [" + table.path() + "]: expected " + std::string(expected) +
                                    ", found \"" + printable(name.substr(0, max_shown)) + "\"");
}

fs::path resolve_path(const std::string& text, const fs::path& folder, const fs::path& home) {
  if (text == "~") return home;
  if (text.starts_with("~/")) return (home / text.substr(2)).lexically_normal();
  return (folder / text).lexically_normal();
}

Result<Settings> parse_settings(std::string_view text, const fs::path& file, const SettingsFolders& folders,
                                Diagnostics& diagnostics, SettingsUse use) {
  const Document document{.file = file, .field_error = ErrorCode::settings_field, .diagnostics = diagnostics};
  auto parsed = toml::parse(text, {.max_bytes = max_settings_bytes, .max_depth = max_settings_depth});
  if (!parsed) {
    return fail(
        syntax_error(document, parsed.error(), ErrorCode::settings_syntax, ErrorCode::settings_syntax));
  }
  TableReader root(document, *parsed, TextPosition{.line = 1, .column = 1}, {});
  Settings settings;
  settings.file = file;
  CURUPIRA_CHECK(read_settings_table(root, folders, settings));
  CURUPIRA_CHECK(read_environment(root, settings));
  const bool runs = root.has("repositories") || root.has("agents") || root.has("automations");
  if (runs || use == SettingsUse::running) {
    CURUPIRA_CHECK(read_repositories(root, folders.home, settings));
    CURUPIRA_CHECK(read_agents(root, settings));
  }
  CURUPIRA_CHECK(read_plugins(root, settings));
  if (runs || use == SettingsUse::running) CURUPIRA_CHECK(read_automations(root, settings));
  CURUPIRA_CHECK(read_lock(root, settings));
  CURUPIRA_TRY(settings.registries, read_registries(root, folders.home));
  CURUPIRA_CHECK(check_assistant(root));
  CURUPIRA_TRY(settings.policy, read_policy(root, folders));
  root.warn_about_unknown();
  return settings;
}

}  // namespace curupira::manifest
