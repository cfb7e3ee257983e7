#pragma once

#include "base/file_system.h"
#include "base/home_layout.h"
#include "cli/doctor_findings.h"
#include "manifest/discovery.h"

namespace curupira::cli {

/// What is in the store, what killed commands left, and which objects that receipts name are missing. Reads
/// names and sizes, hashes nothing: `plugins verify` does that. `busy`: a command is at work, and what it
/// does is no leftover.
Findings examine_store(FileSystem& files, const HomeLayout& home, const manifest::Discovered& installed,
                       bool busy);

/// Whether a command holds the home's lock now; false where there is no home.
bool is_busy(const FileSystem& files, const HomeLayout& home);

}  // namespace curupira::cli
