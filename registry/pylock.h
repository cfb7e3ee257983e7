#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "base/url.h"

namespace curupira::registry {

/// One package of a pylock.toml (PEP 751) and the wheel of it that is installed.
struct LockedWheel {
  std::string package;                                ///< normalised
  std::string version;                                ///< only characters of PEP 440
  std::string file_name;                              ///< a legal wheel name of this package
  std::variant<Url, std::filesystem::path> location;  ///< paths are absolute
  std::optional<std::uint64_t> size = {};             ///< bytes
  std::vector<Digest> digests;                        ///< strong ones, at least one
};

/// Reads the lock file of one interpreter, sorted by package; `folder` is the one that relative paths start
/// from. Of several wheels that fit, the closest one is taken. Errors: resolution_unreadable;
/// resolution_unsafe for packages that are not wheels; integrity_missing; integrity_weak.
Result<std::vector<LockedWheel>> read_pylock(std::string_view text, const std::filesystem::path& folder);

/// "name==version --hash=sha256:…" lines: what installers demand with --require-hashes.
std::string requirements_of(const std::vector<LockedWheel>& wheels);

}  // namespace curupira::registry
