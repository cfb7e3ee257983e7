#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "manifest/discovery.h"
#include "manifest/receipt.h"

namespace curupira::launcher {

/// How an extension starts: argv with absolute paths, no npx, no uvx, no shell (design.md §2, step 9).
struct LaunchCommand {
  std::vector<std::string> argv;
  std::optional<std::filesystem::path> cwd = {};  ///< the caller's when empty
};

/// The command of a receipt, with this machine's paths: the interpreter looked up on PATH, the entry in
/// `content_folder`. Errors: tool_missing (names the extension and the interpreter), launch_program_missing.
Result<LaunchCommand> make_command(const manifest::ReceiptCommand& command, std::string_view extension,
                                   const std::filesystem::path& content_folder,
                                   const Environment& environment);

/// The command of an installed extension. Without a receipt (another program installed it) only `executable`
/// launches can be made: error not_managed for the others.
Result<LaunchCommand> make_command(const manifest::InstalledExtension& extension, const HomeLayout& home,
                                   const Environment& environment);

/// The folder of the store that `content` names.
std::filesystem::path content_folder(const HomeLayout& home, const manifest::ReceiptContent& content);

}  // namespace curupira::launcher
