#include "templates/letter_case.h"

#include <gtest/gtest.h>

namespace curupira::templates {
namespace {

TEST(LetterCase, OfLatinGreekAndCyrillic) {
  EXPECT_EQ(upper_case("straße élan ÿ ő ω ς жё"), "STRASSE ÉLAN Ÿ Ő Ω Σ ЖЁ");
  EXPECT_EQ(lower_case("STRASSE ÉLAN Ÿ Ő Ω Σ ЖЁ İ"), "strasse élan ÿ ő ω σ жё i̇");
}

TEST(LetterCase, LeavesOtherTextAsItIs) {
  EXPECT_EQ(upper_case("日本 🦊 1×÷"), "日本 🦊 1×÷");
  EXPECT_EQ(lower_case("日本 🦊 1×÷"), "日本 🦊 1×÷");
  EXPECT_EQ(upper_case("a\xff z"), "A\xff Z");
}

TEST(LetterCase, OfTitlesBeginsAtWords) {
  EXPECT_EQ(title_case("hELLO world-foo it's (a) c_d"), "Hello World-Foo It's (A) C_d");
  EXPECT_EQ(capitalized("éLAN Vital"), "Élan vital");
}

}  // namespace
}  // namespace curupira::templates
