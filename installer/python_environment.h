#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/process_runner.h"
#include "installer/install_run.h"
#include "installer/installed_content.h"
#include "installer/verified_artifact.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Fills a virtual environment from wheels that are verified: built aside by uv without network, index or
/// sources, then renamed into the store (astral-sh/uv#17399). Errors: tool_missing, tool_failed (uv's own
/// words), process_timeout.
Result<InstalledContent> assemble_python_environment(const InstallRun& run, ProcessRunner& processes,
                                                     const Environment& environment,
                                                     const registry::PythonClosure& closure,
                                                     std::span<const VerifiedArtifact> wheels);

/// What an installed distribution says of itself.
struct PythonDistribution {
  std::filesystem::path site_packages;       ///< relative to the environment
  std::string folder;                        ///< of its dist-info, in site_packages
  std::vector<std::string> console_scripts;  ///< sorted
  std::optional<std::filesystem::path> manifest_file =
      {};  ///< absolute, when one of its files is the manifest
};

/// Finds distribution `name` (normalised) in a virtual environment. Error: identity_mismatch when it is not
/// there.
Result<PythonDistribution> find_distribution(const FileSystem& files,
                                             const std::filesystem::path& environment,
                                             const std::string& name);

/// The commands of the section [console_scripts].
std::vector<std::string> parse_console_scripts(std::string_view entry_points);

}  // namespace curupira::installer
