#pragma once

#include <cstdint>
#include <filesystem>

#include "base/digest.h"
#include "base/result.h"

namespace curupira::registry {

struct LocalFile {
  Digest sha256;
  std::uint64_t size;  ///< bytes
};

/// Reads a regular file once, in pieces. Errors: file_not_found, file_failed (also for what is no regular
/// file), artifact_too_large.
Result<LocalFile> measure_local_file(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace curupira::registry
