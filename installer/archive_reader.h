#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/archive_entry.h"
#include "installer/limits.h"

namespace curupira::installer {

/// Reads tar.gz, tar.xz, tar.zst, tar.bz2 and zip, recognised by their first bytes. Exactly one compression
/// around a tar; nothing before, behind or between what is read. What the entries say is checked by
/// ArchiveRules. Errors: archive_unreadable, archive_truncated, archive_inconsistent, archive_trailing_data,
/// archive_bomb.
class ArchiveReader {
 public:
  static Result<std::unique_ptr<ArchiveReader>> open(const std::filesystem::path& file,
                                                     const ArchiveLimits& limits);
  /// A tar without compression, as this program packs trees for bundles. What others publish is never one.
  static Result<std::unique_ptr<ArchiveReader>> open_tar(const std::filesystem::path& file);
  virtual ~ArchiveReader() = default;

  /// Nothing at the end, after all of the file was seen.
  virtual Result<std::optional<ArchiveEntry>> next() = 0;
  /// Contents of the entry; 0 at their end.
  virtual Result<std::size_t> read(std::span<std::byte> buffer) = 0;
  /// Of the file, in bytes: what the ratio is measured against.
  virtual std::uint64_t packed_size() const = 0;
};

}  // namespace curupira::installer
