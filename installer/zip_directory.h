#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/archive_entry.h"
#include "base/result.h"

namespace curupira::installer {

/// A member of a zip file.
struct ZipMember {
  ArchiveEntry entry;  ///< without link target: that is the contents
  std::uint64_t offset = 0;
};

/// Reads `length` bytes at `offset`. Error: archive_truncated when they are not there.
using ReadAt = std::function<Result<std::string>(std::uint64_t offset, std::size_t length)>;

/// The members in the order of their places in the file. Refuses a file that readers of the central directory
/// and readers of the local headers would see differently: other names, sizes or methods, gaps, overlaps,
/// bytes before or behind. Errors: archive_unreadable, archive_truncated, archive_inconsistent,
/// archive_trailing_data, archive_bomb.
Result<std::vector<ZipMember>> read_zip_directory(const ReadAt& read_at, std::uint64_t file_size,
                                                  std::size_t max_entries);

}  // namespace curupira::installer
