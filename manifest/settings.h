#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/json.h"
#include "base/result.h"
#include "manifest/platform.h"
#include "manifest/policy.h"
#include "manifest/registry_settings.h"

namespace curupira::manifest {

inline constexpr std::size_t max_settings_bytes = 4u << 20;

enum class LogLevel { debug, info, warning, error, critical };

struct Polling {
  std::uint32_t poll_interval_seconds = 30;
  std::uint32_t batch_size = 100;  ///< 1 to 1000
  std::uint32_t cron_poll_interval_seconds = 1;
};

struct Repository {
  std::string alias;
  std::string remote;
  std::optional<std::filesystem::path> path = {};
  std::optional<std::string> setup_script = {};
};

struct AgentProfile {
  std::string name;
  std::string provider;
  json::Object options;  ///< all other keys of the table
  TextPosition position;
};

/// `[plugins.<alias>]`: how the settings name an extension.
struct Plugin {
  enum class Type { npx, uvx, installed };
  std::string alias;
  Type type = Type::npx;
  std::vector<std::string> args = {};     ///< npx and uvx
  std::string extension_name = {};        ///< `name`, for `installed`
  std::vector<std::string> tools = {};    ///< globs on local trigger names; "!" excludes
  std::vector<std::string> env = {};      ///< names that the extension gets beside the clean environment
  bool package_manager_fallback = false;  ///< fallback = "package-manager"
  TextPosition position;

  /// The package that `args` name, after npx's and uvx's own flags: name without version. Empty for
  /// `installed`.
  std::string package() const;
};

struct Automation {
  enum class Checkout { worktree, main };
  std::string name;
  std::string trigger_type;  ///< "<alias>/<local>" or "cron"
  std::string repository;    ///< alias
  std::string prompt;
  std::optional<std::string> profile = {};
  Checkout checkout = Checkout::worktree;
  json::Object table;  ///< the whole table as JSON, in the order of the file: what extensions validate
  TextPosition position;

  bool is_cron() const { return trigger_type == "cron"; }
  std::string plugin_alias() const;   ///< before the '/'
  std::string local_trigger() const;  ///< after it
};

/// How extension processes are kept, `[settings.extensions]`.
struct ExtensionSettings {
  bool inherit_environment = false;  ///< environment = "inherit"
};

/// A settings file (spec/settings.md), checked as far as that is possible without its extensions.
struct Settings {
  std::filesystem::path file;
  std::uint32_t max_active_tasks = 1;
  std::uint32_t max_pending_tasks = 100;
  std::filesystem::path workspace_dir;
  std::filesystem::path state_db_path;
  std::optional<std::string> otlp_endpoint = {};
  LogLevel log_level = LogLevel::info;
  std::uint32_t task_timeout_minutes = 20;
  std::uint64_t max_output_bytes = 1'000'000;
  Polling polling;
  ExtensionSettings extensions;
  std::map<std::string, std::string> environment_vars;
  std::vector<Repository> repositories;
  std::string default_profile;
  std::string timezone = "UTC";
  std::vector<AgentProfile> profiles;
  std::vector<Plugin> plugins;
  std::vector<Automation> automations;  ///< in the order of the file
  Policy policy;                        ///< `[policy]`

  std::vector<Platform> lock_platforms;      ///< `[lock] platforms`; empty: not said
  std::vector<RegistrySettings> registries;  ///< in the order of the file

  const Repository* find_repository(std::string_view alias) const;
  const Plugin* find_plugin(std::string_view alias) const;
  const AgentProfile* find_profile(std::string_view name) const;
};

struct SettingsFolders {
  std::filesystem::path home;      ///< the user's, for "~"
  std::filesystem::path curupira;  ///< the home of curupira, for the defaults
};

/// What settings are read for. Running needs repositories, agents and automations. Installing does not: a
/// file that has none of them, but registries or a policy, is whole.
enum class SettingsUse { running, installing };

/// Text → settings; pure. `file` is for messages and for relative paths. Errors: settings_syntax,
/// settings_field, settings_reference, each with file, line and column. Files of the existing host load
/// unchanged.
Result<Settings> parse_settings(std::string_view text, const std::filesystem::path& file,
                                const SettingsFolders& folders, Diagnostics& diagnostics,
                                SettingsUse use = SettingsUse::running);

/// "owner/name": the last two components of a Git remote, without ".git" (spec/protocol.md §3.4).
std::string forge_identity(std::string_view remote);

}  // namespace curupira::manifest
