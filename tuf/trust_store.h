#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_lock.h"
#include "base/file_system.h"

namespace curupira::tuf {

/// One registry's folder of trusted metadata (design.md §3): "<role>.json" for each role as its repository
/// wrote it, "highest-time", and the lock of an update. Writes are atomic.
class TrustStore {
 public:
  /// The file system has to outlive the store; the folder has to exist.
  TrustStore(FileSystem& files, std::filesystem::path folder) : files_(files), folder_(std::move(folder)) {}

  /// Two updates at once could put an older version back. Who has the lock removes what a killed one left.
  Result<FileLock> lock();

  /// Nothing when there is none. Error: response_too_large for more than `max_bytes`.
  Result<std::optional<std::string>> read(std::string_view role, std::uint64_t max_bytes) const;
  Result<> write(std::string_view role, std::string_view file);

  /// The latest time at which an update succeeded; nothing when none did, or when the file cannot be read.
  std::optional<std::chrono::sys_seconds> highest_time() const;
  Result<> write_highest_time(std::chrono::sys_seconds time);
  std::filesystem::path highest_time_file() const { return folder_ / "highest-time"; }

 private:
  FileSystem& files_;
  std::filesystem::path folder_;
};

}  // namespace curupira::tuf
