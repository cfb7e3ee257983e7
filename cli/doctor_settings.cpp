#include "cli/doctor_settings.h"

#include <algorithm>

#include "agents/provider.h"
#include "base/printable.h"
#include "base/process_runner.h"
#include "cli/counted.h"
#include "manifest/extension_lookup.h"
#include "manifest/plugin_args.h"
#include "manifest/policy_evaluation.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using manifest::Settings;

Finding finding(Level level, std::string subject, std::string what, std::string remedy = {}) {
  return {.area = "settings",
          .level = level,
          .subject = std::move(subject),
          .what = std::move(what),
          .remedy = std::move(remedy)};
}

std::string place_of(const Diagnostic& diagnostic) {
  if (!diagnostic.file) return {};
  std::string place = diagnostic.file->string();
  if (diagnostic.position)
    place +=
        ":" + std::to_string(diagnostic.position->line) + ":" + std::to_string(diagnostic.position->column);
  return place + ": ";
}

Findings of_warnings(const std::vector<Diagnostic>& warnings) {
  Findings findings;
  for (const Diagnostic& warning : warnings) {
    if (warning.kind == Diagnostic::Kind::warning)
      findings.push_back(
          finding(Level::warning, "file", place_of(warning) + warning.text, "mend the line that is named"));
  }
  return findings;
}

/// "npm:@acme/ext@^1.2": what `plugins install` takes for a plugin of the settings.
std::string reference_of(const manifest::Plugin& plugin) {
  const std::string spec = manifest::package_spec(plugin.type, plugin.args);
  return (plugin.type == manifest::Plugin::Type::npx ? "npm:" : "pip:") + printable(spec);
}

/// A plugin whose extension is not installed.
Finding missing_plugin(const manifest::Plugin& plugin, const Environment& environment) {
  const std::string table = "[plugins." + plugin.alias + "]";
  if (plugin.type == manifest::Plugin::Type::installed)
    return finding(Level::problem, table, "the extension \"" + plugin.extension_name + "\" is not installed",
                   "`curupira plugins list` shows what is, `curupira plugins install` adds to it");
  const std::string install = "`curupira plugins install '" + reference_of(plugin) + "'`";
  if (!plugin.package_manager_fallback)
    return finding(Level::problem, table, "no installed extension is from " + plugin.package(), install);
  const std::string program = plugin.type == manifest::Plugin::Type::npx ? "npx" : "uvx";
  const bool there = find_program(environment, program).has_value();
  return finding(
      there ? Level::warning : Level::problem, table,
      plugin.package() + " is not installed; " + program +
          (there ? " fetches it at each start, unverified" : ", which is to fetch it, is not on PATH"),
      install + " puts a verified copy in its place");
}

Findings of_plugins(const Settings& settings, const manifest::Discovered& installed,
                    const Environment& environment) {
  Findings findings;
  for (const auto& plugin : settings.plugins) {
    // One that is there and cannot start is reported among the extensions.
    if (manifest::find_extension(installed, plugin) == nullptr)
      findings.push_back(missing_plugin(plugin, environment));
  }
  return findings;
}

/// What the policy does not let start. One that no plugin names is not wanted just now.
Findings of_policy(const Settings& settings, const manifest::Discovered& installed) {
  Findings findings;
  for (const auto& extension : installed.extensions) {
    const auto allowed = manifest::check_installed(settings.policy, extension);
    if (allowed) continue;
    const bool wanted = std::ranges::any_of(settings.plugins, [&](const auto& plugin) {
      return manifest::find_extension(installed, plugin) == &extension;
    });
    findings.push_back(finding(wanted ? Level::problem : Level::warning, extension.manifest.name,
                               "it does not start: " + words_of(allowed.error()),
                               allowed.error().help() + "; `curupira plugins remove " +
                                   extension.manifest.name + "` takes it away"));
  }
  return findings;
}

bool is_used(const Settings& settings, const std::string& profile) {
  return profile == settings.default_profile ||
         std::ranges::any_of(settings.automations,
                             [&](const auto& automation) { return automation.profile == profile; });
}

Findings of_profiles(const Settings& settings, const Environment& environment) {
  Findings findings;
  for (const auto& profile : settings.profiles) {
    const std::string table = "[agents.profiles." + profile.name + "]";
    const auto* provider = agents::find_provider(profile.provider);
    const Level level = is_used(settings, profile.name) ? Level::problem : Level::warning;
    if (provider == nullptr) {
      findings.push_back(finding(level, table, "no agent is called \"" + profile.provider + "\"",
                                 "`curupira plugins list` shows the agents"));
    } else if (!find_program(environment, provider->executable)) {
      findings.push_back(finding(level, table,
                                 std::string(provider->executable) + ", the program of the agent " +
                                     profile.provider + ", is not on PATH",
                                 "install the agent, or choose another provider for this profile"));
    }
  }
  return findings;
}

}  // namespace

Findings examine_settings(const Result<Settings>& settings, const std::vector<Diagnostic>& warnings,
                          const std::filesystem::path& file, bool named,
                          const manifest::Discovered& installed, const Environment& environment) {
  if (!settings) {
    if (settings.error().code() == ErrorCode::settings_missing && !named)
      return {finding(Level::note, "file", file.string() + " does not exist; nothing is automated yet")};
    Findings findings{finding(Level::problem, "file", words_of(settings.error()), settings.error().help())};
    append(findings, of_warnings(warnings));
    return findings;
  }
  Findings findings{finding(Level::ok, "file",
                            file.string() + " can be read: " + counted(settings->plugins.size(), "plugin") +
                                ", " + counted(settings->automations.size(), "automation") +
                                "; `curupira validate` asks the extensions about them")};
  append(findings, of_warnings(warnings));
  append(findings, of_plugins(*settings, installed, environment));
  append(findings, of_policy(*settings, installed));
  append(findings, of_profiles(*settings, environment));
  return findings;
}

}  // namespace curupira::cli
