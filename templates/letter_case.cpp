#include "templates/letter_case.h"

#include <array>

#include "base/utf8.h"

namespace curupira::templates {
namespace {

/// Upper-case letters `first` to `last`. `offset` leads to the lower-case letter; 1 says that upper and lower
/// alternate.
struct LetterRange {
  char32_t first, last;
  int offset;
};

constexpr std::array ranges{
    LetterRange{U'A', U'Z', 32},        LetterRange{0xC0, 0xD6, 32},     LetterRange{0xD8, 0xDE, 32},
    LetterRange{0x100, 0x12E, 1},       LetterRange{0x132, 0x136, 1},    LetterRange{0x139, 0x147, 1},
    LetterRange{0x14A, 0x176, 1},       LetterRange{0x178, 0x178, -121}, LetterRange{0x179, 0x17D, 1},
    LetterRange{0x386, 0x386, 38},      LetterRange{0x388, 0x38A, 37},   LetterRange{0x38C, 0x38C, 64},
    LetterRange{0x38E, 0x38F, 63},      LetterRange{0x391, 0x3A1, 32},   LetterRange{0x3A3, 0x3AB, 32},
    LetterRange{0x400, 0x40F, 80},      LetterRange{0x410, 0x42F, 32},   LetterRange{0x460, 0x480, 1},
    LetterRange{0x48A, 0x4BE, 1},       LetterRange{0x4D0, 0x52E, 1},    LetterRange{0x1E00, 0x1E94, 1},
    LetterRange{0x1E9E, 0x1E9E, -7615}, LetterRange{0x1EA0, 0x1EFE, 1},
};

char32_t moved(char32_t letter, int offset) {
  return static_cast<char32_t>(static_cast<std::int32_t>(letter) + offset);
}

bool alternates(const LetterRange& range) {
  return range.offset == 1;
}

char32_t lower_of(char32_t letter) {
  for (const auto& range : ranges) {
    if (letter < range.first || letter > range.last) continue;
    if (alternates(range) && (letter - range.first) % 2 != 0) return letter;
    return moved(letter, range.offset);
  }
  return letter;
}

char32_t upper_of(char32_t letter) {
  if (letter == 0x131) return U'I';   // dotless i
  if (letter == 0xB5) return 0x39C;   // micro sign
  if (letter == 0x3C2) return 0x3A3;  // final sigma
  for (const auto& range : ranges) {
    const char32_t upper = moved(letter, -range.offset);
    if (upper < range.first || upper > range.last) continue;
    if (alternates(range) && (upper - range.first) % 2 != 0) continue;
    return upper;
  }
  return letter;
}

void append(std::string& out, char32_t letter) {
  const auto byte = [&out](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (letter < 0x80) {
    byte(letter);
  } else if (letter < 0x800) {
    byte(0xC0 | (letter >> 6));
    byte(0x80 | (letter & 0x3F));
  } else {
    // No letter of the ranges lies beyond U+FFFF.
    byte(0xE0 | (letter >> 12));
    byte(0x80 | ((letter >> 6) & 0x3F));
    byte(0x80 | (letter & 0x3F));
  }
}

enum class Case { lower, upper };

void append_in_case(std::string& out, std::string_view bytes, char32_t letter, Case wanted) {
  if (wanted == Case::upper && letter == 0xDF) {
    out += "SS";  // sharp s has no upper case of one letter
  } else if (wanted == Case::lower && letter == 0x130) {
    out += "i\xCC\x87";  // dotted I
  } else {
    const char32_t changed = wanted == Case::upper ? upper_of(letter) : lower_of(letter);
    if (changed == letter) {
      out += bytes;
    } else {
      append(out, changed);
    }
  }
}

/// `case_of(is_first, before)` says the case of each character; bytes that are no UTF-8 are kept.
template <class CaseOf>
std::string map_case(std::string_view text, CaseOf case_of) {
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto point = decode_utf8(text, at);
    const std::size_t length = point ? point->length : 1;
    const auto bytes = text.substr(at, length);
    if (point) {
      append_in_case(out, bytes, point->value, case_of(at == 0, before));
    } else {
      out += bytes;
    }
    before = point ? point->value : 0;
    at += length;
  }
  return out;
}

bool begins_word_after(char32_t c) {
  static constexpr std::u32string_view marks = U" \t\r\n\v\f-([{<";
  return marks.find(c) != std::u32string_view::npos;
}

}  // namespace

std::string lower_case(std::string_view text) {
  return map_case(text, [](bool, char32_t) { return Case::lower; });
}

std::string upper_case(std::string_view text) {
  return map_case(text, [](bool, char32_t) { return Case::upper; });
}

std::string title_case(std::string_view text) {
  return map_case(text, [](bool first, char32_t before) {
    return first || begins_word_after(before) ? Case::upper : Case::lower;
  });
}

std::string capitalized(std::string_view text) {
  return map_case(text, [](bool first, char32_t) { return first ? Case::upper : Case::lower; });
}

}  // namespace curupira::templates
