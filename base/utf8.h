#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace curupira {

/// One character of a UTF-8 text.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  ///< bytes that it takes in the text
};

/// The character that starts at byte `at`, which must lie in the text. Nothing when the bytes are not valid
/// UTF-8: overlong forms, surrogates, values above U+10FFFF, a sequence that is cut off.
std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t at);

}  // namespace curupira
