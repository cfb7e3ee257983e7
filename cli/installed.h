#pragma once

#include <string_view>

#include "base/diagnostics.h"
#include "base/file_system.h"
#include "cli/command.h"
#include "manifest/discovery.h"

namespace curupira::cli {

/// What is installed, as `list`, `info`, `validate` and `run` see it. Reads files only.
manifest::Discovered discover_installed(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                        Diagnostics& diagnostics);

/// "where:line:column: …" of a broken manifest, as a warning on stderr.
void warn_of_broken(Terminal& terminal, const manifest::BrokenExtension& broken);

/// Error not_installed, which names what is nearest among `installed`.
Error not_installed(std::string_view name, const manifest::Discovered& installed);

}  // namespace curupira::cli
