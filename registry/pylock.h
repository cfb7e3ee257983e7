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

/// One wheel in a pylock.toml.
struct LockedWheel {
  std::string file_name;                              ///< a legal wheel name of its package
  std::variant<Url, std::filesystem::path> location;  ///< paths are absolute
  std::optional<std::uint64_t> size = {};             ///< bytes
  std::vector<Digest> digests;                        ///< strong ones, at least one
};

/// One package of a pylock.toml (PEP 751).
struct PylockPackage {
  std::string name;                 ///< normalised
  std::string version;              ///< only characters of PEP 440
  std::string marker = {};          ///< PEP 508; empty: everywhere
  std::vector<LockedWheel> wheels;  ///< at least one
};

/// Reads what a resolver wrote, sorted by name and version; `folder` is the one that relative paths start
/// from. Errors: resolution_unreadable; resolution_unsafe for packages that are not wheels;
/// integrity_missing; integrity_weak.
Result<std::vector<PylockPackage>> read_pylock(std::string_view text, const std::filesystem::path& folder);

}  // namespace curupira::registry
