#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace curupira {

/// The text with control characters, bidirectional controls, invisible characters and invalid UTF-8 as
/// visible escapes
/// ("\x1b", "\u{202e}"), so that nothing from outside can drive a terminal or pass for something else.
/// Newlines and tabs stay when `keep_newlines`.
std::string printable(std::string_view text, bool keep_newlines = false);

/// printable(text) of at most the first `max_bytes` bytes, with "…" when something was left out: for quoting
/// hostile text in an error.
std::string excerpt(std::string_view text, std::size_t max_bytes = 200);

bool is_valid_utf8(std::string_view text);

/// "48,213 bytes" below 100 kB, "250 kB" and "1.2 MB" above (decimal units).
std::string format_bytes(std::uint64_t bytes);

}  // namespace curupira
