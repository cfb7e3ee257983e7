#include "runtime/plugin_lookup.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "base/process_runner.h"
#include "manifest/extension_lookup.h"
#include "manifest/policy_evaluation.h"

namespace curupira::runtime {
namespace {

using manifest::Plugin;

std::string_view type_name(Plugin::Type type) {
  return type == Plugin::Type::npx ? "npx" : "uvx";
}

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

std::string table_of(const Plugin& plugin) {
  return "[plugins." + printable(plugin.alias) + "]";
}

Error not_installed(const Plugin& plugin, const manifest::Discovered& installed) {
  if (plugin.type != Plugin::Type::installed) {
    const std::string scheme = plugin.type == Plugin::Type::npx ? "npm:" : "pip:";
    const std::string package = printable(plugin.package());
    return Error(ErrorCode::plugin_not_installed, table_of(plugin) + " names the package " +
                                                      in_quotes(plugin.package()) +
                                                      ", and no installed extension is from it")
        .with_help("`curupira plugins sync` installs what the settings name, `curupira plugins install " +
                   scheme + package +
                   "` this one; or fallback = \"package-manager\" in the table, which lets " +
                   std::string(type_name(plugin.type)) + " fetch it at each start, unverified");
  }
  std::vector<std::string> names;
  for (const auto& extension : installed.extensions)
    names.push_back(extension.manifest.name);
  const auto near = nearest_name(plugin.extension_name, names);
  return Error(ErrorCode::plugin_not_installed,
               table_of(plugin) + " names the extension " + in_quotes(plugin.extension_name) +
                   ", which is not installed" + (near ? " (did you mean " + in_quotes(*near) + "?)" : ""))
      .with_help("`curupira plugins list` shows what is installed, `curupira plugins install` adds to it");
}

Result<PluginTarget> package_manager_target(const Plugin& plugin, const Environment& environment,
                                            Diagnostics& diagnostics) {
  const std::string_view program = type_name(plugin.type);
  const auto path = find_program(environment, program);
  if (!path) {
    return fail(Error(ErrorCode::tool_missing,
                      table_of(plugin) + " falls back to " + std::string(program) + ", which is not on PATH")
                    .with_help("install " + std::string(program) + ", or install the extension itself"));
  }
  diagnostics.warn(table_of(plugin) + ": " + in_quotes(plugin.package()) + " is not installed; " +
                   std::string(program) + " fetches and starts it, unverified");
  PluginTarget target{.identity = {plugin.package(), "(by " + std::string(program) + ")"}, .command = {}};
  target.command.argv.push_back(path->string());
  target.command.argv.insert(target.command.argv.end(), plugin.args.begin(), plugin.args.end());
  return target;
}

/// The name by which npx or uvx would start the extension's own program.
std::string own_executable(const manifest::InstalledExtension& extension, const Plugin& plugin) {
  const auto& launch = extension.manifest.launch;
  if (const auto* npx = std::get_if<manifest::NpxLaunch>(&launch); npx != nullptr && npx->bin)
    return *npx->bin;
  if (const auto* uvx = std::get_if<manifest::UvxLaunch>(&launch)) return uvx->executable;
  return plugin.package();
}

/// Puts the settings' arguments in the place of the launch table's.
void use_arguments(launcher::LaunchCommand& command, std::size_t launch_arguments,
                   std::vector<std::string> arguments) {
  if (arguments.empty() || command.argv.size() < launch_arguments) return;
  command.argv.resize(command.argv.size() - launch_arguments);
  command.argv.insert(command.argv.end(), std::make_move_iterator(arguments.begin()),
                      std::make_move_iterator(arguments.end()));
}

}  // namespace

std::vector<std::string> extension_arguments(const manifest::Plugin& plugin, std::string_view executable) {
  if (plugin.type == Plugin::Type::installed) return {};
  const std::string package = plugin.package();
  // The program's name stands alone: for npx "pkg@1" or a bin, for uvx the console script.
  const auto names_program = [&](std::string_view argument) {
    if (argument == executable || argument == package) return true;
    return argument.starts_with(package) && argument.size() > package.size() &&
           std::string_view("@=<>!~[").find(argument[package.size()]) != std::string_view::npos;
  };
  const auto is_package_option = [](std::string_view argument) {
    return argument == "--from" || argument == "--package" || argument == "-p";
  };
  for (std::size_t n = 0; n < plugin.args.size(); ++n) {
    const bool is_value = n > 0 && is_package_option(plugin.args[n - 1]);
    if (is_value || !names_program(plugin.args[n])) continue;
    auto begin = plugin.args.begin() + static_cast<std::ptrdiff_t>(n) + 1;
    if (begin != plugin.args.end() && *begin == "--") ++begin;
    return {begin, plugin.args.end()};
  }
  return {};
}

Result<PluginTarget> find_plugin_target(const manifest::Plugin& plugin, const manifest::Policy& policy,
                                        const manifest::Discovered& installed, const HomeLayout& home,
                                        const Environment& environment, Diagnostics& diagnostics) {
  const auto* extension = manifest::find_extension(installed, plugin);
  if (extension == nullptr) {
    if (plugin.package_manager_fallback && plugin.type != Plugin::Type::installed) {
      if (!policy.empty()) {
        return fail(ErrorCode::policy_fallback,
                    table_of(plugin) + " is not installed, and with a [policy] (" +
                        printable(policy.file.string()) + ") its fallback is not used");
      }
      return package_manager_target(plugin, environment, diagnostics);
    }
    return fail(not_installed(plugin, installed));
  }
  CURUPIRA_CHECK(manifest::check_installed(policy, *extension));
  CURUPIRA_TRY(auto command, launcher::make_command(*extension, home, environment));
  const std::size_t launch_arguments = extension->receipt
                                           ? extension->receipt->command.args.size()
                                           : manifest::launch_args(extension->manifest.launch).size();
  use_arguments(command, launch_arguments, extension_arguments(plugin, own_executable(*extension, plugin)));
  return PluginTarget{.identity = {extension->manifest.name, extension->manifest.version},
                      .command = std::move(command),
                      .receipt = extension->receipt ? &*extension->receipt : nullptr};
}

}  // namespace curupira::runtime
