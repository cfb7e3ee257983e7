#include "base/utf8.h"

namespace curupira {

std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) { return static_cast<unsigned char>(text[at + offset]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return CodePoint{first, 1};

  std::size_t length = 0;
  char32_t value = 0;
  char32_t least = 0;  // a smaller value would have fitted in a shorter sequence
  if ((first & 0xe0u) == 0xc0) {
    length = 2, value = first & 0x1fu, least = 0x80;
  } else if ((first & 0xf0u) == 0xe0) {
    length = 3, value = first & 0x0fu, least = 0x800;
  } else if ((first & 0xf8u) == 0xf0) {
    length = 4, value = first & 0x07u, least = 0x10000;
  } else {
    return std::nullopt;
  }
  if (text.size() - at < length) return std::nullopt;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return std::nullopt;
    value = (value << 6) | (byte(i) & 0x3fu);
  }
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < least || value > 0x10ffff || surrogate) return std::nullopt;
  return CodePoint{value, length};
}

}  // namespace curupira
