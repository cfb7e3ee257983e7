#pragma once

#include <string>
#include <string_view>

#include "manifest/discovery.h"
#include "manifest/settings.h"

namespace curupira::manifest {

/// The installed extension that a plugin of the settings means (spec/settings.md): by its name for
/// `installed`; for `npx` and `uvx` the one whose launch table, else whose receipt, names the package of
/// `args`. Null when none is installed.
const InstalledExtension* find_extension(const Discovered& installed, const Plugin& plugin);

/// "acme-ext" of "Acme_Ext": Python's indexes take names that differ in case or in runs of '-', '_', '.' for
/// the same.
std::string normalized_python_name(std::string_view name);

}  // namespace curupira::manifest
