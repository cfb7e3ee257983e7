#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "installer/install_run.h"
#include "installer/installed_content.h"
#include "installer/verified_artifact.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Makes a virtual environment of wheels that are verified: each is unpacked into a tree of the store, and
/// its files are hard links to that, so no tool, index or resolver is asked and no code is executed. Built
/// aside, then renamed into the store (astral-sh/uv#17399). It is named by the interpreter and the trees, so
/// the same one is made once. Errors: those of unpacking and of lay_out_wheel; resolution_unsafe for a name
/// that is no wheel's; wheel_conflict when two wheels own one path.
Result<InstalledContent> assemble_python_environment(const InstallRun& run,
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

}  // namespace curupira::installer
