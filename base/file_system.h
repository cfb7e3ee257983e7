#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "base/result.h"

namespace curupira {

enum class FileType { regular, directory, symlink, other };

struct FileStatus {
  FileType type = FileType::regular;
  std::uint64_t size = 0;  ///< bytes
  unsigned mode = 0;       ///< permission bits
  std::uint64_t link_count = 1;
  std::uint64_t inode = 0;  ///< of its file system: the same for all names of a file
  std::chrono::system_clock::time_point modified = {};  ///< when its contents changed last
};

/// The reading half: what commands need that only look (list, info).
class ReadOnlyFileSystem {
 public:
  virtual ~ReadOnlyFileSystem() = default;
  /// The whole file. Errors: file_not_found; response_too_large when longer than `max_bytes`; file_failed.
  virtual Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes) const = 0;
  /// Of the path itself (a symbolic link is not followed); nothing when it does not exist.
  virtual Result<std::optional<FileStatus>> status(const std::filesystem::path& path) const = 0;
  /// Names in a folder, sorted by bytes. Error: file_not_found when there is no such folder.
  virtual Result<std::vector<std::string>> list(const std::filesystem::path& folder) const = 0;
  virtual Result<std::string> read_link(const std::filesystem::path& path) const = 0;
};

/// A file being written. Dropped without `commit` it is closed and stays as it is.
class WritableFile : public ByteSink {
 public:
  /// Forces the bytes to the disk and closes.
  virtual Result<> commit() = 0;
};

/// The file system as our program changes it. Real in the product; tests pass one that fails at a chosen
/// operation.
class FileSystem : public ReadOnlyFileSystem {
 public:
  /// Creates a new file (never opens an existing one).
  virtual Result<std::unique_ptr<WritableFile>> create_file(const std::filesystem::path& path,
                                                            unsigned mode) = 0;
  /// Opens an existing regular file to write behind its end. Error: file_not_found.
  virtual Result<std::unique_ptr<WritableFile>> append_to_file(const std::filesystem::path& path) = 0;
  virtual Result<> create_folders(const std::filesystem::path& path) = 0;
  /// A new folder of a name nobody has, below `parent`, mode 0700.
  virtual Result<std::filesystem::path> create_temporary_folder(const std::filesystem::path& parent,
                                                                std::string_view prefix) = 0;
  /// Atomic; replaces an existing file, and an existing empty folder by a folder.
  virtual Result<> rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  /// Exchanges two existing paths atomically.
  virtual Result<> exchange(const std::filesystem::path& a, const std::filesystem::path& b) = 0;
  virtual Result<> hard_link(const std::filesystem::path& existing, const std::filesystem::path& link) = 0;
  virtual Result<> symbolic_link(std::string_view target, const std::filesystem::path& link) = 0;
  virtual Result<> set_mode(const std::filesystem::path& path, unsigned mode) = 0;
  /// Not an error when it does not exist.
  virtual Result<> remove_file(const std::filesystem::path& path) = 0;
  /// With all below, read-only folders too, following no link. Not an error when it does not exist.
  virtual Result<> remove_tree(const std::filesystem::path& path) = 0;
  /// Forces a folder's entries to the disk.
  virtual Result<> sync_folder(const std::filesystem::path& path) = 0;
};

/// How the names of temporary files of `write_file_atomically` begin: one that is left is of a killed
/// process.
inline constexpr std::string_view atomic_write_prefix = ".tmp-";

/// Temporary file beside it, fsync, rename, fsync of the folder: old or new, never half (design.md §3).
Result<> write_file_atomically(FileSystem& files, const std::filesystem::path& path, std::string_view bytes,
                               unsigned mode = 0644);

/// The real one.
std::unique_ptr<FileSystem> make_posix_file_system();

}  // namespace curupira
