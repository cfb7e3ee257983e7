#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace curupira {

/// What the system says of the file system that a path is on.
struct Volume {
  std::string type;              ///< "ext4", "nfs", …; the kernel's number when it is no common one
  bool over_network = false;     ///< another machine can change it at the same time
  bool read_only = false;        ///< mounted so
  bool no_programs = false;      ///< mounted so that nothing on it can be executed (noexec)
  std::uint64_t free_bytes = 0;  ///< that this user may still use
};

/// Error: file_failed with the system's reason.
Result<Volume> volume_of(const std::filesystem::path& path);

}  // namespace curupira
