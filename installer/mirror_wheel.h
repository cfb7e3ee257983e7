#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "installer/limits.h"

namespace curupira::installer {

/// What a wheel says of itself, for the page of a mirror: nothing of it is unpacked to the disk.
struct WheelStatement {
  std::string metadata;         ///< the bytes of its METADATA
  std::string requires_python;  ///< ">=3.9"; empty for any
};

/// Reads a wheel of this package and version. Errors: those of ArchiveReader; wheel_invalid when it has no
/// METADATA, or one of another package or version.
Result<WheelStatement> read_wheel_statement(const std::filesystem::path& wheel, const std::string& package,
                                            const std::string& version, const ArchiveLimits& limits);

}  // namespace curupira::installer
