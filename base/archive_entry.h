#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace curupira {

/// A member of an archive, as it stands there: nothing of it has been checked.
struct ArchiveEntry {
  enum class Type { file, folder, symbolic_link, hard_link, other };
  Type type = Type::file;
  std::string path;              ///< raw bytes
  unsigned mode = 0;             ///< permission bits with set-id and sticky bits
  std::uint64_t size = 0;        ///< bytes of the contents
  std::string link_target = {};  ///< raw bytes, for links
  std::string kind = {};         ///< what an `other` is: "a character device"
};

/// Bytes that are pulled, of a stream that is not compressed (any more).
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Fills as much of `buffer` as there is; less than its size only at the end.
  virtual Result<std::size_t> read(std::span<std::byte> buffer) = 0;
};

}  // namespace curupira
