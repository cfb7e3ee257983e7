#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace curupira::installer {

/// What an archive or a folder may be (design.md §5). Every limit appears in the error that it causes.
struct ArchiveLimits {
  std::uint64_t max_unpacked = 2ull << 30;  ///< bytes of all files together
  std::uint64_t max_file = 1ull << 30;      ///< bytes of one file
  std::size_t max_entries = 200'000;
  std::size_t max_depth = 64;               ///< segments of a path
  std::uint64_t max_ratio = 200;            ///< unpacked to packed bytes…
  std::uint64_t ratio_floor = 32ull << 20;  ///< …counted when more bytes than this came out
};

/// What one installation may fetch.
struct FetchLimits {
  std::uint64_t max_artifact = 1ull << 30;  ///< bytes of one file
  std::size_t max_artifacts = 5'000;        ///< of one closure
};

/// Downloads that broke off and wait for the next run.
inline constexpr std::uint64_t least_partial_bytes = 1u << 20;  ///< less is fetched anew
inline constexpr std::uint64_t max_partial_bytes = 4ull << 30;  ///< all together
inline constexpr std::chrono::hours max_partial_age{7 * 24};

inline constexpr std::size_t max_package_json_bytes = 4u << 20;
inline constexpr std::size_t max_entry_points_bytes = 1u << 20;
inline constexpr std::size_t max_metadata_bytes = 16u << 20;  ///< of a wheel: its whole README is in it
inline constexpr std::size_t max_record_bytes = 64u << 20;
inline constexpr std::size_t max_proof_bytes = 64u << 20;  ///< all metadata of a registry may be in it
inline constexpr std::size_t max_receipt_bytes = 16u << 20;
inline constexpr std::size_t max_listing_bytes = 256u << 20;

}  // namespace curupira::installer
