#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "registry/repository_folder.h"

namespace curupira::registry {

/// The page to browse a registry with, index.html of its folder: one file without anything from elsewhere,
/// which reads the registry's own metadata. The same text for every registry.
std::string browse_page();

/// Its Content-Security-Policy: only its own scripts and styles, and only the server that it came from. It
/// stands in the page as well.
std::string browse_policy();

/// Writes it into the folder unless it is there already, or the keepers have a page of their own there.
/// Called while the registry's lock is held; warns when it cannot be written, since nothing depends on it.
void keep_browse_page(RepositoryFolder& folder, Diagnostics& diagnostics);

/// The parts that it is made of (registry/browse/).
extern const std::string_view browse_html;
extern const std::string_view browse_style;
extern const std::string_view browse_script;

}  // namespace curupira::registry
