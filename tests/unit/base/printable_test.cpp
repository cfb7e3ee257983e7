#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace curupira {
namespace {

using namespace std::string_view_literals;

TEST(Printable, OrdinaryTextStays) {
  EXPECT_EQ(printable("a \\ \"ä\" 読 👩‍💻"), "a \\ \"ä\" 読 👩‍💻");
}

TEST(Printable, TerminalSequencesBecomeVisible) {
  EXPECT_EQ(printable("\x1b]0;title\x07\x1b[2J"), "\\x1b]0;title\\x07\\x1b[2J");
}

TEST(Printable, ControlCharactersBecomeVisible) {
  EXPECT_EQ(printable("\0\b\t\r\n\x7f"sv), "\\x00\\x08\\t\\r\\n\\x7f");
}

TEST(Printable, C1ControlsBecomeVisible) {
  // U+009B alone starts a sequence on some terminals.
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u{9b}2J");
}

TEST(Printable, BidirectionalControlsBecomeVisible) {
  EXPECT_EQ(printable("a\u202eb\u2066c\u200fd"), "a\\u{202e}b\\u{2066}c\\u{200f}d");
}

TEST(Printable, InvisibleCharactersBecomeVisible) {
  EXPECT_EQ(printable("ac\u200bme\ufeff\U000e0041"), "ac\\u{200b}me\\u{feff}\\u{e0041}");
}

TEST(Printable, LineSeparatorsBecomeVisible) {
  EXPECT_EQ(printable("a\u2028b"), "a\\u{2028}b");
}

TEST(Printable, InvalidUtf8BecomesVisible) {
  EXPECT_EQ(printable("a\xff\xc3z\xe2\x82"), "a\\xff\\xc3z\\xe2\\x82");
}

TEST(Printable, KeepsNewlinesAndTabsWhenAsked) {
  EXPECT_EQ(printable("a\n\tb\r\n", true), "a\n\tb\\r\n");
}

TEST(Excerpt, ShortTextStaysWhole) {
  EXPECT_EQ(excerpt("abc", 3), "abc");
}

TEST(Excerpt, LongTextEndsWithAnEllipsis) {
  EXPECT_EQ(excerpt("abcdef", 3), "abc…");
}

TEST(Excerpt, CutsBetweenCharacters) {
  EXPECT_EQ(excerpt("a読書", 3), "a…");
}

TEST(Excerpt, CutsInvalidTextToo) {
  EXPECT_EQ(excerpt("\x80\x80\x80\x80\x80\x80", 5), "\\x80\\x80…");
}

TEST(Excerpt, ShowsEscapes) {
  EXPECT_EQ(excerpt("\x1b[0m", 10), "\\x1b[0m");
}

TEST(Utf8, ValidTexts) {
  for (const auto text :
       {""sv, "a"sv, "\0"sv, "ä"sv, "\u0800"sv, "\ud7ff"sv, "\ue000"sv, "\U00010000"sv, "\U0010ffff"sv}) {
    EXPECT_TRUE(is_valid_utf8(text)) << printable(text);
  }
}

TEST(Utf8, InvalidTexts) {
  for (const auto text : {"\x80"sv, "\xc3"sv, "\xc3\x28"sv, "\xc0\x80"sv, "\xc1\xbf"sv, "\xe0\x80\x80"sv,
                          "\xe0\x9f\xbf"sv, "\xed\xa0\x80"sv, "\xf0\x8f\xbf\xbf"sv, "\xf4\x90\x80\x80"sv,
                          "\xf8\x88\x80\x80\x80"sv, "\xff"sv, "a\xe2\x82"sv}) {
    EXPECT_FALSE(is_valid_utf8(text)) << printable(text);
  }
}

TEST(Utf8, DecodesOneCharacter) {
  const auto character = decode_utf8("a読", 1);
  ASSERT_TRUE(character);
  EXPECT_EQ(character->value, U'読');
  EXPECT_EQ(character->length, 3u);
}

TEST(FormatBytes, BelowHundredKilobytesIsExact) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(1), "1 byte");
  EXPECT_EQ(format_bytes(999), "999 bytes");
  EXPECT_EQ(format_bytes(1000), "1,000 bytes");
  EXPECT_EQ(format_bytes(48'213), "48,213 bytes");
  EXPECT_EQ(format_bytes(99'999), "99,999 bytes");
}

TEST(FormatBytes, AboveIsRounded) {
  EXPECT_EQ(format_bytes(100'000), "100 kB");
  EXPECT_EQ(format_bytes(999'499), "999 kB");
  EXPECT_EQ(format_bytes(999'500), "1.0 MB");
  EXPECT_EQ(format_bytes(1'234'567), "1.2 MB");
  EXPECT_EQ(format_bytes(64u << 20), "67.1 MB");
  EXPECT_EQ(format_bytes(2'000'000'000), "2.0 GB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "18.4 EB");
}

}  // namespace
}  // namespace curupira
