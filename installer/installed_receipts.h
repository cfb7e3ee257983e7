#pragma once

#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// The receipts of what this program installed, by name. What cannot be read is not among them.
std::vector<manifest::Receipt> installed_receipts(const ReadOnlyFileSystem& files, const HomeLayout& home);

}  // namespace curupira::installer
