#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/byte_sink.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira {

/// A regular file that stays open, read at any place.
class FileReader {
 public:
  /// Never waits for a writer. Errors: file_not_found; file_failed, also for what is no regular file.
  static Result<FileReader> open(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }  ///< bytes, when it was opened
  /// Fills the buffer from `offset` on, less only at the end of the file; gives the number of bytes. Error:
  /// file_failed.
  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> buffer) const;
  /// Passes on all of it. Errors: file_failed, those of the sink.
  Result<> copy_into(ByteSink& sink) const;

 private:
  FileReader(UniqueFd fd, std::uint64_t size, std::filesystem::path path)
      : fd_(std::move(fd)), size_(size), path_(std::move(path)) {}
  UniqueFd fd_;
  std::uint64_t size_;
  std::filesystem::path path_;
};

}  // namespace curupira
