#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/archive_entry.h"

namespace curupira {

/// Reads tar strictly: v7, ustar, pax and the long names of GNU tar. Where two readers could see two archives
/// (a pax size that contradicts the header, data behind the end, sizes of entries that have no contents) it
/// refuses. Errors: archive_unreadable, archive_truncated, archive_inconsistent, archive_trailing_data,
/// archive_bomb.
class TarReader {
 public:
  explicit TarReader(ByteStream& stream) : stream_(stream) {}

  /// The next entry; nothing at the end of the archive, after all of the stream was read.
  Result<std::optional<ArchiveEntry>> next();
  /// Where in the stream the next bytes stand: after `next`, the entry's contents.
  std::uint64_t position() const { return position_; }
  /// Contents of the entry; 0 at their end.
  Result<std::size_t> read(std::span<std::byte> buffer);

 private:
  struct Header;
  struct Extensions {
    std::optional<std::string> path, link;
    std::optional<std::uint64_t> size;
    bool any = false;
  };

  Result<> skip_rest();
  Result<bool> read_block(std::span<std::byte> block);
  Result<> check_end();
  Result<std::string> read_text(const Header& header, std::string_view what);
  Result<> read_pax(const Header& header, bool global, Extensions& extensions);
  Result<ArchiveEntry> entry_of(const Header& header, const Extensions& extensions);
  std::string place() const;

  ByteStream& stream_;
  std::uint64_t position_ = 0;   // of the stream, in bytes
  std::uint64_t remaining_ = 0;  // contents of the entry that are not read yet
  std::uint64_t padding_ = 0;    // behind the contents
};

}  // namespace curupira
