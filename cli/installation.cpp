#include "cli/installation.h"

#include <ostream>

#include "base/printable.h"
#include "cli/policy_file.h"
#include "manifest/plugin_args.h"

namespace curupira::cli {

using installer::PlannedExtension;

Installation::Installation(const Invocation& invocation, FileSystem& files,
                           std::optional<installer::LockPlace> lock, const manifest::Policy* policy,
                           const std::vector<manifest::RegistrySettings>* registries,
                           manifest::Platform platform, bool offline, Diagnostics& diagnostics)
    : lock_(std::move(lock)),
      policy_(policy),
      http_(offline ? nullptr : make_curl_http_client(invocation.environment, {.diagnostics = &diagnostics})),
      source_tools_{.environment = invocation.environment,
                    .home = invocation.home,
                    .current_folder = invocation.current_folder,
                    .files = files,
                    .http = http_.get(),
                    .processes = processes_,
                    .clock = &clock_,
                    .release_age = policy ? release_age(*policy, clock_) : std::nullopt,
                    .refuse_yanked = policy ? yanked_rule(*policy) : std::nullopt,
                    .registries = registries,
                    .metadata_age = policy ? metadata_age(*policy) : std::nullopt,
                    .registry_clients = &registry_clients_},
      registry_clients_(source_tools_, diagnostics),
      sources_(registry::make_sources(source_tools_)),
      tools_{.home = invocation.home,
             .environment = invocation.environment,
             .files = files,
             .http = http_.get(),
             .processes = processes_,
             .sources = sources_,
             .platform = std::move(platform),
             .current_folder = invocation.current_folder,
             .source_tools = &source_tools_} {}

std::vector<installer::WantedExtension> wanted_extensions(const std::optional<manifest::Settings>& settings,
                                                          Diagnostics& diagnostics) {
  std::vector<installer::WantedExtension> wanted;
  if (!settings) return wanted;
  for (const auto& plugin : settings->plugins) {
    if (plugin.package_manager_fallback) continue;
    if (plugin.type == manifest::Plugin::Type::installed) {
      wanted.push_back({.alias = plugin.alias, .name = plugin.extension_name});
      continue;
    }
    const std::string spec = manifest::package_spec(plugin.type, plugin.args);
    auto reference =
        registry::parse_reference((plugin.type == manifest::Plugin::Type::npx ? "npm:" : "pip:") + spec);
    if (reference)
      wanted.push_back({.alias = plugin.alias, .reference = *std::move(reference)});
    else
      diagnostics.warn("[plugins." + plugin.alias + "] names no package of a registry: " + printable(spec));
  }
  return wanted;
}

void print_outcome(Terminal& terminal, const installer::InstallPlan& plan) {
  for (const auto& extension : plan.extensions) {
    const std::string name = printable(extension.name), version = printable(extension.version);
    switch (extension.action) {
      case PlannedExtension::Action::add:
        terminal.out() << "Installed extension " << name << ' ' << version << '\n';
        break;
      case PlannedExtension::Action::replace:
        terminal.out() << "Replaced extension " << name << ' '
                       << printable(extension.installed_version.value_or("?")) << " with " << version << '\n';
        break;
      case PlannedExtension::Action::keep:  // the plan has said so
        break;
      case PlannedExtension::Action::remove:
        terminal.out() << "Removed extension " << name << ' ' << version << '\n';
        break;
    }
  }
}

}  // namespace curupira::cli
