#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace curupira::tuf {

std::string hex_of(std::span<const std::byte> bytes);  ///< lower case
/// Digits of either case; nothing for anything else.
std::optional<std::vector<std::byte>> bytes_of_hex(std::string_view hex);

}  // namespace curupira::tuf
