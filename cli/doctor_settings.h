#pragma once

#include <filesystem>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "cli/doctor_findings.h"
#include "manifest/discovery.h"
#include "manifest/settings.h"

namespace curupira::cli {

/// The settings as far as doctor can see without starting an extension (`validate` does): readable, their
/// warnings, plugins that are not installed, extensions that the policy does not let start, profiles whose
/// agent is not on PATH. Without a settings file there is nothing to complain about, unless `named` says that
/// the user named it.
Findings examine_settings(const Result<manifest::Settings>& settings, const std::vector<Diagnostic>& warnings,
                          const std::filesystem::path& file, bool named,
                          const manifest::Discovered& installed, const Environment& environment);

}  // namespace curupira::cli
