#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/file_system.h"

namespace curupira::registry {

/// What we have to know of uv's own configuration: uv reads it itself, but not for our downloads.
struct UvConfiguration {
  struct Index {
    std::string name;  ///< empty when it has none
    std::string url;
  };
  std::vector<Index> indexes;
  bool keyring = false;  ///< `keyring-provider = "subprocess"`

  /// uv.toml: UV_CONFIG_FILE alone, else the user's and the machine's; none with UV_NO_CONFIG. A file that
  /// cannot be read is uv's to complain about.
  static UvConfiguration load(const Environment& environment, const ReadOnlyFileSystem& files);
};

}  // namespace curupira::registry
