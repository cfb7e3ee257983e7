#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace curupira::manifest {

/// "12h", "3d", "2w", "30m": a whole number, at least 1, and its unit; at most ten years.
std::optional<std::chrono::seconds> parse_duration(std::string_view text);

/// "50 MB", "200kB", "1 GiB", "4096 B": a whole number, at least 1, and its unit. In bytes.
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace curupira::manifest
