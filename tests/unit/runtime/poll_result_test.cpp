#include "runtime/poll_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira::runtime {
namespace {

using testing::HasSubstr;

Result<std::optional<Item>> parsed(std::string_view text) {
  return parse_poll_result(json::parse(text).value());
}

std::string refusal(std::string_view text) {
  const auto result = parsed(text);
  if (result) return "accepted";
  EXPECT_EQ(result.error().code(), ErrorCode::extension_protocol) << text;
  return result.error().detail();
}

TEST(PollResult, NullSaysThatNothingWasFound) {
  EXPECT_EQ(parsed(R"({"values":null})").value(), std::nullopt);
}

TEST(PollResult, AnEmptyListIsAnItemWithoutFields) {
  EXPECT_EQ(parsed(R"({"values":[]})").value(), Item{});
}

TEST(PollResult, KeepsPairsInTheirOrder) {
  EXPECT_EQ(parsed(R"({"values":[{"key":"b","value":"1"},{"value":"","key":"a"}]})").value(),
            (Item{{"b", "1"}, {"a", ""}}));
}

TEST(PollResult, TakesAnyOtherKey) {
  for (const auto* key : {"issue-number", "foo.bar", "123", "a b", "é", "$x", "{", "repository2"}) {
    json::Object pair;
    pair.set("key", key);
    pair.set("value", "v");
    json::Object result;
    result.set("values", json::Array{pair});
    EXPECT_EQ(parse_poll_result(result).value(), (Item{{key, "v"}}));
  }
}

TEST(PollResult, NamesTheRuleAndThePlace) {
  EXPECT_THAT(refusal("{}"), HasSubstr("has no `values`"));
  EXPECT_THAT(refusal("null"), HasSubstr("of type null"));
  EXPECT_THAT(refusal("[]"), HasSubstr("of type array"));
  EXPECT_THAT(refusal(R"({"values":"x"})"), HasSubstr("`values` is of type string"));
  EXPECT_THAT(refusal(R"({"values":{}})"), HasSubstr("`values` is of type object"));
  EXPECT_THAT(refusal(R"({"values":null,"zork":1})"), HasSubstr("unknown member \"zork\""));
  EXPECT_THAT(refusal(R"({"values":["x"]})"), HasSubstr("values[0] is of type string"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"a","value":"1"},{"key":"b","value":"1","c":1}]})"),
              HasSubstr("values[1] has the unknown member \"c\""));
  EXPECT_THAT(refusal(R"({"values":[{"value":"1"}]})"), HasSubstr("values[0] has no `key`"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"a"}]})"), HasSubstr("values[0] has no `value`"));
  EXPECT_THAT(refusal(R"({"values":[{"key":1,"value":"1"}]})"), HasSubstr("values[0].key is of type number"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"a","value":null}]})"),
              HasSubstr("values[0].value is of type null"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"","value":"1"}]})"), HasSubstr("values[0].key is empty"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"a}b","value":"1"}]})"), HasSubstr("\"a}b\" holds \"}\""));
  EXPECT_THAT(refusal(R"({"values":[{"key":"a${b","value":"1"}]})"), HasSubstr("holds \"${\""));
  EXPECT_THAT(refusal(R"({"values":[{"key":"repository","value":"1"}]})"),
              HasSubstr("\"repository\", which the host"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"automation","value":"1"}]})"),
              HasSubstr("\"automation\", which the host"));
  EXPECT_THAT(refusal(R"({"values":[{"key":"a","value":"1"},{"key":"a","value":"2"}]})"),
              HasSubstr("values[1].key \"a\" appears a second time"));
}

TEST(PollResult, ShowsHostileKeysPrintably) {
  EXPECT_THAT(refusal(R"({"values":[{"key":"\u001b[31m}","value":"1"}]})"), HasSubstr("\\x1b[31m}"));
}

TEST(ItemJson, IsTheListOfPairs) {
  EXPECT_EQ(json::write(to_json({{"b", "1"}, {"a", "\n"}})),
            R"([{"key":"b","value":"1"},{"key":"a","value":"\n"}])");
}

}  // namespace
}  // namespace curupira::runtime
