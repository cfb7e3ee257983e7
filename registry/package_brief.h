#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "registry/package_index.h"
#include "tuf/fields.h"

namespace curupira::registry {

inline constexpr std::size_t max_summary_bytes = 200;

/// What stands of a package in the metadata itself, in its target's `custom`: enough to find it.
struct PackageBrief {
  std::optional<std::string> latest = {};  ///< nothing when all versions were taken back
  std::string summary = {};                ///< one line; may be empty
  std::vector<std::string> triggers = {};  ///< trigger types of the latest version
  std::vector<std::string> yanked = {};    ///< versions that were taken back
  bool operator==(const PackageBrief&) const = default;
};

/// Of the index as it is; `summary` is taken over, `triggers` are read from the latest manifest.
PackageBrief brief_of(const PackageIndex& index, std::string summary);

/// As members of an object; what is empty is left out, but for the summary.
json::Object members_of(const PackageBrief& brief);
/// Error: package_index_invalid with the place.
Result<PackageBrief> read_brief(tuf::Fields& fields);

/// As a target's `custom`: {"curupira": {…}}.
json::Object custom_of(const PackageBrief& brief);
/// Error: package_index_invalid with the place.
Result<PackageBrief> read_custom(const std::optional<json::Object>& custom, const std::string& where);

}  // namespace curupira::registry
