#pragma once

#include <filesystem>
#include <string>

#include "installer/install_run.h"

namespace curupira::installer {

/// A copy of a folder as it is now, as a tree of the store: regular files and symbolic links that stay within
/// it; `.git` is left out. Errors: file_not_found, archive_link, archive_entry_type, archive_path,
/// archive_duplicate, archive_bomb.
Result<std::string> snapshot_folder(const InstallRun& run, const std::filesystem::path& folder);

}  // namespace curupira::installer
