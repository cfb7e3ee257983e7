#pragma once

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "launcher/launch_command.h"
#include "manifest/discovery.h"
#include "manifest/settings.h"
#include "runtime/extension_session.h"

namespace curupira::runtime {

/// What a `[plugins.<alias>]` of the settings starts.
struct PluginTarget {
  ExtensionIdentity identity;
  launcher::LaunchCommand command;
  const manifest::Receipt* receipt = nullptr;  ///< of an extension that this program installed
};

/// The installed extension that the plugin names, as a command on its verified copy (spec/settings.md). Not
/// installed: plugin_not_installed; with `fallback = "package-manager"` npx or uvx as the existing host calls
/// it, and a warning. What `policy` refuses is not started, and with any policy nothing that nobody verified
/// (45xx). Further errors: those of make_command; tool_missing when npx or uvx is not on PATH.
Result<PluginTarget> find_plugin_target(const manifest::Plugin& plugin, const manifest::Policy& policy,
                                        const manifest::Discovered& installed, const HomeLayout& home,
                                        const Environment& environment, Diagnostics& diagnostics);

/// The arguments that the settings give to the extension itself: those behind the package that is started by
/// its own name. Nothing when there are none, or when another program of the package is named (`python -m
/// …`): then the launch table knows how to start it.
std::vector<std::string> extension_arguments(const manifest::Plugin& plugin, std::string_view executable);

}  // namespace curupira::runtime
