#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/commit.h"

namespace curupira::installer {

/// Writes the generation that `changes` make into `staging`/generation.<n>, and before the first one what was
/// there until now. Gives the numbers; none when the changes leave everything as the last generation has it.
/// To be called when the changes are staged and nothing is in its place yet.
Result<std::vector<std::uint64_t>> stage_generations(FileSystem& files, const HomeLayout& home,
                                                     const std::filesystem::path& staging,
                                                     const Changes& changes);

/// Where `stage_generations` writes.
std::filesystem::path staged_generation(const std::filesystem::path& staging, std::uint64_t number);

}  // namespace curupira::installer
