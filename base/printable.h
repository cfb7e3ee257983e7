#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace curupira {

/// The text with control characters, bidirectional controls and invalid UTF-8 as visible escapes ("\x1b"), so that
/// nothing from outside can drive a terminal. Newlines stay when `keep_newlines`.
std::string printable(std::string_view text, bool keep_newlines = false);

bool is_valid_utf8(std::string_view text);

/// "48,213 bytes" below 100 kB, "1.2 MB" above.
std::string format_bytes(std::uint64_t bytes);

}  // namespace curupira
