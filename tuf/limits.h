#pragma once

#include <cstddef>
#include <cstdint>

namespace curupira::tuf {

/// What a repository may cost its client. The specification leaves the numbers to us (TUF 1.0.34 §5.3.3,
/// §5.4.1, §5.5.1, §5.6.1, §5.6.7.1).
struct Limits {
  std::uint64_t max_root_bytes = 512'000;
  std::uint64_t max_timestamp_bytes = 16'000;
  std::uint64_t max_snapshot_bytes = 8'000'000;  ///< also when the timestamp announces a longer one
  std::uint64_t max_targets_bytes =
      16'000'000;  ///< of each targets role, also when a longer one is announced
  int max_json_depth = 64;
  int max_root_updates = 1024;  ///< new roots in one update
  int max_delegation_depth =
      16;                      ///< roles between the top-level targets role and the one that has the target
  int max_visited_roles = 64;  ///< roles that one search for a target reads
};

/// Of a delegated role's name, percent-encoded: it becomes the name of a file.
inline constexpr std::size_t max_role_name_bytes = 200;

}  // namespace curupira::tuf
