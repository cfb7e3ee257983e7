#pragma once

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/volume.h"
#include "cli/doctor_findings.h"

namespace curupira::cli {

/// Free space below which an installation will fail soon, and below which it may.
inline constexpr std::uint64_t little_space = 100'000'000, scarce_space = 1'000'000'000;  // bytes

/// What the system says of the home's file system. Pure.
Findings judge_volume(const Volume& volume, const std::string& home);

/// Whether the home exists and what its file system can do, found by trying in staging/, under the home's
/// lock: writing, links, exchange, moving between staging, store and extensions, upper and lower case. While
/// another command holds the lock nothing is tried, which a note says. A home that does not exist is not
/// made.
Findings examine_file_system(FileSystem& files, const HomeLayout& home);

}  // namespace curupira::cli
