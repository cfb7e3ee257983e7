#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace curupira::registry {

/// What a pylock.toml says of the age of a package.
struct LockedRelease {
  std::string version;
  std::optional<std::string> uploaded = {};  ///< when its first file came (RFC 3339), if the index says it
};

/// Nothing when the text cannot be read, or does not have the package.
std::optional<LockedRelease> read_locked_release(std::string_view pylock, std::string_view package);

}  // namespace curupira::registry
