#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace curupira::json {
namespace {

using testing::HasSubstr;
using testing::Not;

Value parsed(std::string_view text) {
  return parse(text).value();
}

std::string fault(std::string_view text, const Limits& limits = {}) {
  const auto value = parse(text, limits);
  if (value) return "parsed";
  EXPECT_EQ(value.error().code(), ErrorCode::json_invalid);
  return value.error().detail();
}

TEST(JsonParse, ReadsEveryKindOfValue) {
  const Value value = parsed(R"( {"n":null,"b":true,"i":-1,"d":0.5,"s":"x","a":[1,[]],"o":{}} )");
  EXPECT_TRUE(value.find("n")->is_null());
  EXPECT_TRUE(*value.find("b")->as_bool());
  EXPECT_EQ(value.find("i")->as_int(), -1);
  EXPECT_EQ(value.find("d")->as_double(), 0.5);
  EXPECT_EQ(*value.find_string("s"), "x");
  EXPECT_EQ(value.find("a")->as_array()->size(), 2u);
  EXPECT_TRUE(value.find("o")->as_object()->empty());
}

TEST(JsonParse, KeepsTheOrderOfMembers) {
  EXPECT_EQ(write(parsed(R"({"z":1,"a":{"y":2,"b":3}})")), R"({"z":1,"a":{"y":2,"b":3}})");
}

TEST(JsonParse, DecodesEscapes) {
  EXPECT_EQ(*parsed(R"("\u00e4\ud83d\ude00\/\n")").as_string(), "ä😀/\n");
}

TEST(JsonParse, RefusesARepeatedName) {
  EXPECT_EQ(fault("{\"a\":1,\n \"b\":2,\"a\":3}"),
            "line 2, column 10 (byte 18): the name \"a\" appears twice in one object");
}

TEST(JsonParse, RefusesANameRepeatedByAnEscape) {
  EXPECT_THAT(fault(R"({"a":1,"\u0061":2})"), HasSubstr("appears twice"));
}

TEST(JsonParse, RefusesARepeatedNameDeepInside) {
  EXPECT_THAT(fault(R"([{"x":{"a":1,"a":2}}])"), HasSubstr("\"a\" appears twice"));
}

TEST(JsonParse, WholeNumbersOnlyRefusesEveryOtherWayToWriteOne) {
  const Limits limits{.whole_numbers_only = true};
  for (const char* text : {"1.5", "1.0", "1e3", "[-0.0]", R"({"a":18446744073709551616})"})
    EXPECT_THAT(fault(text, limits), HasSubstr("not written as a whole one")) << text;
  EXPECT_TRUE(parse("[0,-1,18446744073709551615]", limits));
}

TEST(JsonParse, SameNameInTwoObjectsIsFine) {
  EXPECT_TRUE(parse(R"([{"a":{"a":1}},{"a":2}])"));
}

TEST(JsonParse, ManyMembersDoNotTakeQuadraticTime) {
  // 100,000 members: comparing each with each would be 5,000,000,000 comparisons.
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i)
    text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
  text += ",\"k0\":0}";
  EXPECT_THAT(fault(text), HasSubstr("\"k0\" appears twice"));
}

TEST(JsonParse, TakesNestingUpToTheLimit) {
  EXPECT_TRUE(parse("[[{\"a\":[1]}]]", {.max_depth = 4}));
  EXPECT_EQ(fault("[[{\"a\":[1]}]]", {.max_depth = 3}),
            "line 1, column 8 (byte 8): nested deeper than 3 levels");
}

TEST(JsonParse, RefusesHostileNesting) {
  EXPECT_THAT(fault(std::string(1'000'000, '[')), HasSubstr("nested deeper than 128 levels"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i)
    objects += "{\"a\":";
  EXPECT_THAT(fault(objects), HasSubstr("nested deeper than 128 levels"));
}

TEST(JsonParse, RefusesMoreBytesThanAllowed) {
  EXPECT_TRUE(parse("[1]", {.max_bytes = 3}));
  EXPECT_EQ(fault("[1] ", {.max_bytes = 3}), "the text has 4 bytes; allowed are 3 bytes");
}

TEST(JsonParse, RefusesWhatIsNotJson) {
  for (const std::string_view text :
       {"",          " ",      "{",     "[1,]",  "{\"a\":1,}", "{\"a\"}",   "{a:1}",
        "{1:2}",     "'a'",    "01",    "+1",    "1.",         ".5",        "NaN",
        "Infinity",  "-",      "tru",   "nul",   "\"a",        "\"\\x\"",   "\"\\ud800\"",
        "\"\\u12\"", "\"\n\"", "[1] 2", "{} {}", "// c\n1",    "1 /* c */", "1e999"}) {
    EXPECT_THAT(fault(text), HasSubstr("byte ")) << text;
  }
}

TEST(JsonParse, RefusesInvalidUtf8) {
  for (const std::string_view text :
       {"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xe2\x82\"", "\xff", "{\"\xff\":1}"}) {
    EXPECT_THAT(fault(text), HasSubstr("byte ")) << text;
  }
}

TEST(JsonParse, RefusesNul) {
  // The library takes NUL for the end of the text: another reader would read on.
  EXPECT_EQ(fault(std::string_view("[1]\0[2]", 7)), "line 1, column 4 (byte 4): the text contains NUL");
  EXPECT_THAT(fault(std::string_view("\"\0\"", 3)), HasSubstr("the text contains NUL"));
}

TEST(JsonParse, SaysWhereAndWhatWasExpected) {
  EXPECT_THAT(fault("{\n  \"ä\": ]"), HasSubstr("line 2, column 8 (byte 11): "));
  EXPECT_THAT(fault("{\"a\" 1}"), HasSubstr("expected ':'"));
}

TEST(JsonParse, ErrorsDoNotQuoteHostileText) {
  const std::string detail = fault("{\"a\": \"" + std::string(100'000, 'x'));
  EXPECT_LT(detail.size(), 300u);
  EXPECT_THAT(detail, Not(HasSubstr("xxx")));
}

TEST(JsonNumber, WholeNumbersThatFit) {
  EXPECT_EQ(parsed("9223372036854775807").as_int(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parsed("-9223372036854775808").as_int(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parsed("18446744073709551615").as_uint(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parsed("1e3").as_int(), 1000);
  EXPECT_EQ(parsed("2.0").as_uint(), 2u);
}

TEST(JsonNumber, OthersAreNoWholeNumbers) {
  for (const std::string_view text :
       {"9223372036854775808", "-9223372036854775809", "1.5", "1e300", "\"1\"", "true", "null"}) {
    EXPECT_EQ(parsed(text).as_int(), std::nullopt) << text;
  }
  EXPECT_EQ(parsed("-1").as_uint(), std::nullopt);
  EXPECT_EQ(parsed("18446744073709551616").as_uint(), std::nullopt);
}

TEST(JsonNumber, AnyNumberIsADouble) {
  EXPECT_EQ(parsed("2").as_double(), 2.0);
  EXPECT_EQ(parsed("18446744073709551615").as_double(), 18446744073709551615.0);
  EXPECT_EQ(parsed("\"2\"").as_double(), std::nullopt);
}

TEST(JsonWrite, NumbersReadBackAsTheyWere) {
  for (const std::string_view text : {"0", "-1", "18446744073709551615", "0.1", "1.0", "-2.5e-07", "1e+22"}) {
    EXPECT_EQ(write(parsed(text)), text);
  }
}

TEST(JsonWrite, WhatJsonCannotSayBecomesNull) {
  EXPECT_EQ(write(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(write(std::numeric_limits<double>::quiet_NaN()), "null");
}

// spec/protocol.md §3.3: the bytes of an identity.
TEST(JsonWrite, EscapesOnlyWhatJsonRequires) {
  EXPECT_EQ(write("\"\\\b\f\n\r\t\x01\x1f\x7f/ä😀\u2028"),
            "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f/ä😀\u2028\"");
}

TEST(JsonWrite, InvalidUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(write("a\xff"), "\"a\ufffd\"");
}

TEST(JsonWrite, CompactHasNoBlanks) {
  EXPECT_EQ(write(parsed(" { \"a\" : [ 1 , { } , [ ] ] } ")), R"({"a":[1,{},[]]})");
}

TEST(JsonWrite, PrettyIndentsByTwo) {
  EXPECT_EQ(write_pretty(parsed(R"({"a":[1,{"b":null}],"c":{},"d":[]})")),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}\n");
}

TEST(JsonObject, SetReplacesInPlace) {
  Object object;
  object.set("a", 1);
  object.set("b", 2);
  object.set("a", "x");
  EXPECT_EQ(write(object), R"({"a":"x","b":2})");
  EXPECT_EQ(object.size(), 2u);
}

TEST(JsonObject, FindsItsMembersOnly) {
  const Value value = parsed(R"({"a":1})");
  EXPECT_NE(value.find("a"), nullptr);
  EXPECT_EQ(value.find("b"), nullptr);
  EXPECT_EQ(value.find_string("a"), nullptr);
  EXPECT_EQ(Value(1).find("a"), nullptr);
}

TEST(JsonValue, NamesItsType) {
  const Value value = parsed(R"([null,true,1,1.5,"",[],{}])");
  std::vector<std::string_view> names;
  for (const Value& element : *value.as_array())
    names.push_back(element.type_name());
  EXPECT_THAT(names,
              testing::ElementsAre("null", "boolean", "number", "number", "string", "array", "object"));
}

TEST(JsonValue, EqualityLooksAtEverything) {
  EXPECT_EQ(parsed(R"({"a":[1,"x"]})"), parsed(R"({ "a" : [1, "x"] })"));
  EXPECT_NE(parsed(R"({"a":[1,"x"]})"), parsed(R"({"a":[1,"y"]})"));
}

}  // namespace
}  // namespace curupira::json
