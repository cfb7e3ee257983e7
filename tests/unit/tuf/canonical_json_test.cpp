#include "tuf/canonical_json.h"

#include <gtest/gtest.h>

namespace curupira::tuf {
namespace {

std::string canonical(std::string_view text) {
  return canonical_json(json::parse(text).value()).value();
}

// What securesystemslib's encode_canonical gives for the same values.
TEST(CanonicalJson, IsThatOfAnotherImplementation) {
  EXPECT_EQ(canonical(" { } "), "{}");
  EXPECT_EQ(canonical(R"({"b" : [1, -2, 0, true, false, null], "a" : {"ö" : "é", "z" : ""}})"),
            R"({"a":{"z":"","ö":"é"},"b":[1,-2,0,true,false,null]})");
  EXPECT_EQ(canonical(R"("q\"b\\s\n\t\u0001\/")"), "\"q\\\"b\\\\s\n\t\x01/\"");
  EXPECT_EQ(canonical(R"({"\u00e9":1,"e":2,"E":3,"\ud83d\ude00":4,"\uffff":5,"a":[{},[]]})"),
            "{\"E\":3,\"a\":[{},[]],\"e\":2,\"é\":1,\"\uffff\":5,\"😀\":4}");
  EXPECT_EQ(canonical("[18446744073709551615, -9223372036854775808]"),
            "[18446744073709551615,-9223372036854775808]");
}

TEST(CanonicalJson, WritesAStringWithNulAsItIs) {
  EXPECT_EQ(canonical(R"("a\u0000b")"), std::string("\"a\0b\"", 5));
}

TEST(CanonicalJson, HasNoFractions) {
  for (const double number : {0.5, 1.0, 1e300}) {
    const auto refused = canonical_json(json::Array{number});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::tuf_syntax);
  }
}

}  // namespace
}  // namespace curupira::tuf
