#include "base/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira::toml {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_view_literals;

Table parsed(std::string_view text) {
  return parse(text).value();
}

ParseError fault(std::string_view text, const Limits& limits = {}) {
  auto table = parse(text, limits);
  return table ? ParseError{{}, "parsed"} : table.error();
}

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> all;
  for (const auto& entry : table)
    all.push_back(entry.name);
  return all;
}

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i)
    text += piece;
  return text;
}

TEST(TomlParse, ReadsEveryKindOfValue) {
  const Table table = parsed("s='x'\ni=1\nf=1.5\nb=true\nd=1979-05-27T07:32:00Z\na=[1]\nt={x=1}\n");
  EXPECT_EQ(*table.find("s")->as_string(), "x");
  EXPECT_EQ(*table.find("i")->as_integer(), 1);
  EXPECT_EQ(*table.find("f")->as_float(), 1.5);
  EXPECT_TRUE(*table.find("b")->as_bool());
  EXPECT_EQ(table.find("d")->as_date_time()->text, "1979-05-27T07:32:00Z");
  EXPECT_EQ(table.find("a")->as_array()->size(), 1u);
  EXPECT_EQ(table.find("t")->as_table()->size(), 1u);
}

TEST(TomlParse, NamesTheTypes) {
  std::vector<std::string_view> types;
  for (const auto& entry : parsed("s=''\ni=1\nf=1.5\nb=true\nd=1979-05-27\na=[]\nt={}")) {
    types.push_back(entry.value.type_name());
  }
  EXPECT_THAT(types, ElementsAre("string", "integer", "float", "boolean", "date", "array", "table"));
}

TEST(TomlParse, KeepsTheOrderOfTheFile) {
  const Table table = parsed("z = 1\n[m.two]\n[a]\n[m.one]\n[m]\nx = 1\n");
  EXPECT_THAT(names(table), ElementsAre("z", "m", "a"));
  EXPECT_THAT(names(*table.find("m")->as_table()), ElementsAre("two", "one", "x"));
}

TEST(TomlParse, KeepsTheOrderOfInlineTables) {
  EXPECT_THAT(names(*parsed("t = {z=1, b.y=2, a=3}").find("t")->as_table()), ElementsAre("z", "b", "a"));
}

TEST(TomlParse, PlacesCountCharactersFromOne) {
  const Table table = parsed("a = 1\n[t]\n\"ää\" = \"x\"\n");
  EXPECT_EQ(table.key_position("a"), (TextPosition{1, 1}));
  EXPECT_EQ(table.find("a")->position(), (TextPosition{1, 5}));
  const Table& inner = *table.find("t")->as_table();
  EXPECT_EQ(inner.key_position("ää"), (TextPosition{3, 1}));
  EXPECT_EQ(inner.find("ää")->position(), (TextPosition{3, 8}));
}

TEST(TomlParse, PlaceOfAMissingKeyIsThatOfTheTable) {
  const Table table = parsed("a = 1\n\n[t]\nx = 1\n");
  EXPECT_EQ(table.key_position("missing"), (TextPosition{1, 1}));
  EXPECT_EQ(table.find("t")->as_table()->key_position("missing"), (TextPosition{3, 1}));
}

TEST(TomlParse, TablesMadeByDottedKeysHaveAPlace) {
  const Table table = parsed("\na.b.c = 1\n");
  EXPECT_EQ(table.find("a")->position(), (TextPosition{2, 1}));
  EXPECT_EQ(table.find("a")->as_table()->key_position("missing").line, 2);
}

TEST(TomlParse, ArraysOfTables) {
  const Table table = parsed("[[x]]\na=1\n[[x]]\na=2\n");
  const Array& array = *table.find("x")->as_array();
  ASSERT_EQ(array.size(), 2u);
  EXPECT_EQ(*array[1].as_table()->find("a")->as_integer(), 2);
  EXPECT_EQ(array[1].position().line, 3);
}

TEST(TomlParse, EmptyTextIsAnEmptyTable) {
  EXPECT_EQ(parsed("").size(), 0u);
}

TEST(TomlParse, TakesByteOrderMarkAndWindowsLines) {
  EXPECT_EQ(*parsed("\xef\xbb\xbf"
                    "a = 1\r\nb = 2\r\n")
                 .find("b")
                 ->as_integer(),
            2);
}

TEST(TomlParse, SaysWhereTheSyntaxIsWrong) {
  const ParseError error = fault("a = 1\nb = [1,\n");
  EXPECT_EQ(error.position.line, 2);
  EXPECT_FALSE(error.too_large);
  EXPECT_THAT(error.reason, HasSubstr("array"));
}

TEST(TomlParse, WhatTheLibraryAssertsIsAnError) {
  for (const auto text : {"a = [[[}"sv, "a = 12:"sv, "a = 12:3"sv, "a = 2020-01-01T1"sv, "a = 1:2:3"sv,
                          "a = 23:5"sv, "a = 1979-05-27T07:32:00+"sv, "a = 07:32:"sv}) {
    EXPECT_EQ(fault("x = 1\n" + std::string(text)).position.line, 2) << text;
  }
}

TEST(TomlParse, RefusesOtherThanAsciiOutsideOfStringsAndComments) {
  for (const auto text : {"\xc3\xbc = 1"sv, "a = \xc3\xbc"sv, "a = 1 \xc2\xa0"sv, "[\xe3\x80\x80]"sv})
    EXPECT_EQ(fault("x = 1\n" + std::string(text)).position.line, 2) << text;
  EXPECT_TRUE(parse("\xEF\xBB\xBF\"\xc3\xbc\" = '\xc3\xbc' # \xc3\xbc\n"));
}

TEST(TomlParse, RefusesHeadersWithoutAKey) {
  for (const auto text :
       {"[^a]"sv, "[[^a]]"sv, "[ ^a]"sv, "[=]"sv, "[.a]"sv, "[\xc3\xbc]"sv, "[#"sv, "[\na]"sv, "[ [a]]"sv}) {
    EXPECT_EQ(fault("x = 1\n" + std::string(text)).position.line, 2) << text;
  }
  EXPECT_EQ(fault("[").position.line, 1) << "at the end";
}

TEST(TomlParse, RefusesDuplicateKeys) {
  for (const auto text : {"a=1\na=2"sv, "a=1\n\"a\"=2"sv, "[a]\n[a]"sv, "a.b=1\na.b=2"sv, "[a]\nb=1\n[a.b]"sv,
                          "t={a=1,a=2}"sv, "a=[]\n[[a]]"sv}) {
    EXPECT_NE(fault(text).reason, "parsed") << text;
  }
  EXPECT_EQ(fault("a=1\na=2").position.line, 2);
}

TEST(TomlParse, RefusesNulWithItsPlace) {
  for (const auto text : {"a = 1\nb = '\0'"sv, "a = 1\n# \"\0"sv, "\n'aa'\0"sv}) {
    const ParseError error = fault(text);
    EXPECT_EQ(error.position, (TextPosition{2, static_cast<int>(text.find('\0') - text.find('\n'))}));
    EXPECT_EQ(error.reason, "the text contains NUL");
  }
}

TEST(TomlParse, RefusesInvalidUtf8WithItsPlace) {
  for (const auto text : {"a = 'ä\xff'"sv, "# abcä\xc0\x80"sv, "'ä' = \xe2\x82"sv}) {
    const ParseError error = fault(text);
    EXPECT_EQ(error.position, (TextPosition{1, 7}));
    EXPECT_EQ(error.reason, "the text is not valid UTF-8");
  }
}

TEST(TomlParse, RefusesMoreBytesThanAllowed) {
  EXPECT_EQ(fault("a = 1", {.max_bytes = 5}).reason, "parsed");
  const ParseError error = fault("a = 1\n", {.max_bytes = 5});
  EXPECT_TRUE(error.too_large);
  EXPECT_EQ(error.reason, "the text has 6 bytes; allowed are 5 bytes");
}

TEST(TomlParse, ErrorsShowControlCharactersAsEscapes) {
  EXPECT_EQ(fault("a = \x1b[2J").reason.find('\x1b'), std::string::npos);
}

TEST(TomlDepth, CountsTablesAndArraysInsideEachOther) {
  // Each has three containers below the document.
  for (const auto text :
       {"a = [[[1]]]"sv, "a = {b = {c = {}}}"sv, "[a.b.c]"sv, "a.b.c.d = 1"sv, "[a]\nb.c.d = 1"sv,
        "[a.b]\nc = [1.5, 2.5]"sv, "[[a]]\nb = []"sv, "[[a.b]]"sv, "[[a]]\n[a.b]"sv,
        "a = [[{b = 1.5}], [1.5, 2.5, 3.5, 4.5]]"sv, "a = {b = 1, c.d = {e = 1}}"sv}) {
    EXPECT_EQ(fault(text, {.max_depth = 3}).reason, "parsed") << text;
    const ParseError error = fault(text, {.max_depth = 2});
    EXPECT_EQ(error.reason, "nested deeper than 2 levels") << text;
    EXPECT_TRUE(error.too_large);
    EXPECT_GE(error.position.line, 1);
    EXPECT_GE(error.position.column, 1);
  }
}

TEST(TomlDepth, SiblingsDoNotAddUp) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    text += "k" + n + ".x = [[1.5, 2.5], {a.b = 1, c = 2.5}]\n[t" + n + ".u.v]\n";
  }
  EXPECT_EQ(fault(text, {.max_depth = 7}).reason, "parsed");
}

TEST(TomlDepth, StringsAndCommentsDoNotCount) {
  const std::string many = repeated("[", 100) + repeated("{", 100) + repeated(".", 100);
  const std::string text = "# " + many + "\na = \"" + many + "\\\"" + many + "\"\nb = '" + many +
                           "\\'\nc = \"\"\"" + many + "\n\"" + many + "\\\"\"\"" + many +
                           "\"\"\"\"\nd = '''" + many + "'" + many + "\n'''\ne = \"\"\nf = ''\n\"" + many +
                           "\" = '''''' # " + many + "\n";
  EXPECT_EQ(fault(text).reason, "parsed");
}

TEST(TomlDepth, BracketsAfterAStringCountAgain) {
  for (const auto start :
       {"a = [\"\", "sv, "a = ['', "sv, "a = [\"\"\"x\"\"\"\"\", "sv, "a = ['''x''''', "sv,
        "a = [\"\\\\\", "sv, "a = ['\\', "sv, "a = [\"\"\"\\\"\"\"\", "sv, "a = [ # '\n"sv}) {
    EXPECT_EQ(fault(std::string(start) + repeated("[", 10'000)).reason, "nested deeper than 64 levels")
        << start;
  }
}

TEST(TomlDepth, RefusesHostileNesting) {
  for (const std::string& text :
       {"a = " + repeated("[", 10'000) + repeated("]", 10'000), "a = " + repeated("{a=", 10'000),
        "a = " + repeated("[{a=", 10'000), "[" + repeated("a.", 10'000) + "a]",
        "[[" + repeated("a.", 10'000) + "a]]", repeated("a.", 10'000) + "a = 1",
        repeated("\"a\" . ", 10'000) + "a = 1", "x = {" + repeated("a.", 10'000) + "a=1}",
        "[a]\n" + repeated("'a'.", 10'000) + "a = 1", "x = [" + repeated("\n[", 10'000),
        "x = [" + repeated("# ]\n[", 10'000)}) {
    const ParseError error = fault(text);
    EXPECT_EQ(error.reason, "nested deeper than 64 levels") << text.substr(0, 20);
    EXPECT_TRUE(error.too_large);
  }
}

TEST(TomlDepth, LimitHoldsBelowArraysOfTables) {
  // Headers do not show the arrays: only the parsed document does.
  std::string text;
  std::string path = "a";
  for (int i = 0; i < 40; ++i) {
    text += "[[" + path + "]]\n";
    path += ".a";
  }
  EXPECT_EQ(fault(text).reason, "nested deeper than 64 levels");
}

TEST(TomlToJson, KeepsTypesAndOrder) {
  const Table table = parsed("t = {z=1, a=[1.5, true, 'x'], d=1979-05-27}\n");
  EXPECT_EQ(json::write(table.find("t")->to_json()), R"({"z":1,"a":[1.5,true,"x"],"d":"1979-05-27"})");
}

TEST(TomlQuote, ReadsBackAsItWas) {
  for (const auto text : {""sv, "plain"sv, "\"\\\b\f\n\r\t\x01\x7f"sv, "ä😀"sv, "# no = [comment]"sv}) {
    EXPECT_EQ(*parsed("a = " + quote(text)).find("a")->as_string(), text);
  }
}

TEST(TomlQuote, InvalidUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(quote("a\xff"), "\"a\ufffd\"");
}

TEST(TomlKey, IsBareWhereThatIsAllowed) {
  EXPECT_EQ(key("linux-x86_64"), "linux-x86_64");
  EXPECT_EQ(key(""), "\"\"");
  EXPECT_EQ(key("a.b"), "\"a.b\"");
  EXPECT_EQ(key("@acme/x"), "\"@acme/x\"");
  EXPECT_EQ(key("ä"), "\"ä\"");
}

}  // namespace
}  // namespace curupira::toml
