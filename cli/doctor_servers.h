#pragma once

#include "base/diagnostics.h"
#include "cli/doctor_network.h"
#include "registry/sources.h"

namespace curupira::cli {

/// The servers that `doctor network` looks at: with `urls` those, each with what the configuration of npm and
/// of Python's tools has for it; else the registries and indexes of that configuration, defaults included. An
/// address that cannot be used, and a tool that does not say its default, become findings.
std::vector<ExaminedServer> examined_servers(const registry::SourceTools& tools,
                                             const std::vector<std::string>& urls, Findings& findings);

}  // namespace curupira::cli
