#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/process_runner.h"
#include "cli/doctor_findings.h"
#include "manifest/discovery.h"
#include "manifest/settings.h"

namespace curupira::cli {

/// A program that the product starts, or lets extensions start.
struct Tool {
  std::string name;                 ///< on PATH
  std::string purpose;              ///< "starts extensions in JavaScript"
  std::string least = {};           ///< the oldest version that does; empty when none is known
  std::vector<std::string> needed;  ///< by whom, here and now: extensions, the settings
  bool agent = false;
  bool interpreter = false;  ///< starts packages, in the sandbox too
};

/// What of a tool is on this machine.
struct FoundTool {
  std::optional<std::filesystem::path> path = {};
  std::string version = {};  ///< "20.20.2"; empty when it did not say
  std::string failure = {};  ///< why not
};

/// The tools of the product, with who needs each: receipts say which extension is started by node, the
/// settings name repositories and profiles. `settings` may be null.
std::vector<Tool> known_tools(const manifest::Discovered& installed, const manifest::Settings* settings);

/// Looks for each on PATH and asks it for its version, all at once, each for some seconds at most.
std::vector<FoundTool> find_tools(const std::vector<Tool>& tools, ProcessRunner& processes,
                                  const Environment& environment);

/// Missing or too old: a problem when something needs the tool, else a note. Pure.
Findings judge_tools(const std::vector<Tool>& tools, const std::vector<FoundTool>& found);

/// "20.20.2" in "v20.20.2", "0.9.1" in "uv 0.9.1 (2025-10-09)": the first number with a dot in it.
std::string version_in(std::string_view text);
/// By their numbers from left to right; a missing one counts as 0.
bool is_older(std::string_view version, std::string_view than);

}  // namespace curupira::cli
