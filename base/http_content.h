#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/file_reader.h"
#include "base/result.h"

namespace curupira {

/// What a request sends: bytes at hand, or a part of a file, which is read while it is sent.
struct HttpContent {
  std::string bytes = {};
  std::filesystem::path file = {};  ///< when not empty, the content is there
  std::uint64_t offset = 0;         ///< where it begins in the file, in bytes
  std::uint64_t file_bytes = 0;     ///< how much of the file it is

  std::uint64_t size() const { return file.empty() ? bytes.size() : file_bytes; }
};

/// Content being sent; may be rewound.
class HttpContentReader {
 public:
  /// The content has to outlive it. Errors: those of FileReader.
  static Result<HttpContentReader> open(const HttpContent& content);

  /// The next bytes; 0 at the end. Error: file_failed when the file became shorter, or cannot be read.
  Result<std::size_t> read(std::span<std::byte> buffer);
  void seek(std::uint64_t position) { position_ = position; }

 private:
  explicit HttpContentReader(const HttpContent& content) : content_(&content) {}
  const HttpContent* content_;
  std::optional<FileReader> file_ = {};
  std::uint64_t position_ = 0;
};

}  // namespace curupira
