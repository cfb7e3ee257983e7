#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/generation.h"
#include "installer/install_observer.h"

namespace curupira::installer {

struct Rollback {
  std::uint64_t from = 0;                 ///< the generation that was installed
  std::uint64_t to = 0;                   ///< the one that was gone back to
  std::optional<std::uint64_t> recorded;  ///< the generation that this made; nothing when all was so already
  std::vector<GenerationChange> changes;  ///< extensions, `from` now and `to` then
  std::vector<std::filesystem::path> files;  ///< lock files that changed with them
};

/// Brings back what generation `number` says, without it the one before the last: extensions and lock files,
/// all or nothing. Needs only what is on the disk: no network, no program. It is a generation of its own, so
/// that rolling back twice undoes it. Commands that run keep their files. Errors: generation_missing,
/// generation_unreadable, object_missing (names the object and the command that brings it), name_taken.
Result<Rollback> roll_back(const HomeLayout& home, FileSystem& files, std::optional<std::uint64_t> number,
                           InstallObserver& observer);

}  // namespace curupira::installer
