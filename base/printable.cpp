#include "base/printable.h"

#include <array>
#include <cstdio>

#include "base/utf8.h"

namespace curupira {
namespace {

bool is_bidirectional_control(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

/// Characters that show nothing, by which two different texts look alike. Joiners (U+200C, U+200D) are not
/// among them: ordinary words and emoji need them.
bool is_invisible(char32_t c) {
  return c == 0x00ad || c == 0x200b || (c >= 0x2060 && c <= 0x2064) || c == 0xfeff ||
         (c >= 0xe0000 && c <= 0xe007f);
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

void append_byte_escape(std::string& out, unsigned char byte) {
  std::array<char, 8> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "\\x%02x", static_cast<unsigned>(byte));
  out += buffer.data();
}

void append_escape(std::string& out, char32_t c) {
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c < 0x80) {
    append_byte_escape(out, static_cast<unsigned char>(c));
  } else {
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "\\u{%x}", static_cast<unsigned>(c));
    out += buffer.data();
  }
}

}  // namespace

std::string printable(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto character = decode_utf8(text, at);
    if (!character) {
      append_byte_escape(out, static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    const char32_t c = character->value;
    const bool kept = keep_newlines && (c == '\n' || c == '\t');
    if (!kept && (is_control(c) || is_bidirectional_control(c) || is_invisible(c))) {
      append_escape(out, c);
    } else {
      out.append(text, at, character->length);
    }
    at += character->length;
  }
  return out;
}

std::string excerpt(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return printable(text);
  // Cut between characters: at most three bytes of one can stand before the limit.
  std::size_t end = max_bytes;
  for (int i = 0; i < 3 && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80; ++i)
    --end;
  return printable(text.substr(0, end)) + "…";
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = decode_utf8(text, at);
    if (!character) return false;
    at += character->length;
  }
  return true;
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 100'000) {
    std::string digits = std::to_string(bytes);
    if (digits.size() > 3) digits.insert(digits.size() - 3, ",");
    return digits + " bytes";
  }
  // What would round to 1000 of a unit is one of the next.
  constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return buffer.data();
}

}  // namespace curupira
