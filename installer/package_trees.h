#pragma once

#include <optional>
#include <string>

#include "base/relative_path.h"
#include "installer/install_run.h"
#include "installer/verified_artifact.h"

namespace curupira::installer {

// Verified artifacts become trees of the store; each gives the tree's digest. What the store knows is not
// unpacked again.

/// An archive whose paths lose `strip` segments; `program` becomes executable. Error:
/// archive_program_missing.
Result<std::string> tree_of_archive(const InstallRun& run, const VerifiedArtifact& artifact, int strip,
                                    const std::optional<RelativePath>& program);

/// An npm tarball: its one leading folder goes, its bins become executable, as npm does it. Error:
/// identity_mismatch when its package.json is of another package or version than was resolved.
Result<std::string> tree_of_npm_tarball(const InstallRun& run, const VerifiedArtifact& artifact,
                                        const std::string& name, const std::string& version);

/// A wheel, as it is. Its RECORD is checked when it is laid out (installer/wheel_layout.h).
Result<std::string> tree_of_wheel(const InstallRun& run, const VerifiedArtifact& artifact);

/// One program, as an executable file of the name `program`.
Result<std::string> tree_of_program(const InstallRun& run, const VerifiedArtifact& artifact,
                                    const RelativePath& program);

}  // namespace curupira::installer
