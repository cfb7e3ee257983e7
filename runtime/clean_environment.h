#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "manifest/settings.h"

namespace curupira::runtime {

/// The environment of an extension, and what was kept from it.
struct ExtensionEnvironment {
  Environment variables;
  std::vector<std::string> withheld = {};  ///< names only, sorted; none when everything is inherited
};

/// What an extension gets of the host's environment (spec/settings.md): a short list of ordinary names, then
/// `[environment.vars]`, then the names in the plugin's `env`. With `environment = "inherit"` all of it and
/// `[environment.vars]`, as the existing host does. Secrets that it does not need are not its business
/// (VeriTeknik/pluggedin-app#209).
ExtensionEnvironment extension_environment(const Environment& host, const manifest::Settings& settings,
                                           const manifest::Plugin& plugin);

/// True for the names of the short list.
bool is_ordinary_variable(std::string_view name);

}  // namespace curupira::runtime
