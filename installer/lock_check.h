#pragma once

#include <filesystem>

#include "base/file_system.h"
#include "base/result.h"
#include "installer/verify.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// What the lock file says otherwise than the receipt of an installed extension: its version, its artifacts,
/// the tree of its folder. Extensions that it does not name, and a lock file that does not exist, differ in
/// nothing: bringing a home in line with a lock file is what `sync` does.
Result<> check_lock(const FileSystem& files, const std::filesystem::path& lock_file,
                    const manifest::Receipt& receipt, Verification& result);

}  // namespace curupira::installer
