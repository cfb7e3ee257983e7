#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "registry/package_brief.h"

namespace curupira::registry {

inline constexpr std::string_view search_target = "search/index.json";
inline constexpr std::size_t max_search_index_bytes = 64u << 20;

struct FoundPackage {
  PackageName name;
  PackageBrief brief;
  std::string role;  ///< which vouches for it: where it stands in the metadata
  bool operator==(const FoundPackage&) const = default;
};

/// All packages of a registry in one target, so that searching does not read the metadata of each.
struct SearchIndex {
  static constexpr int format = 1;

  /// The version of each role's metadata that it was made from. A role that the snapshot lists with another
  /// version, or that is not here, has changed since: its metadata counts, not this index.
  std::map<std::string, std::int64_t, std::less<>> roles = {};
  std::vector<FoundPackage> packages = {};  ///< sorted by name
  bool operator==(const SearchIndex&) const = default;
};

/// Error: search_index_invalid with the place.
Result<SearchIndex> parse_search_index(std::string_view text);
std::string write_search_index(const SearchIndex& index);

}  // namespace curupira::registry
