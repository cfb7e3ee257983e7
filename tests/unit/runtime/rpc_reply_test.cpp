#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/rpc_client.h"

namespace curupira::runtime {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view body) {
  const auto reply = parse_reply(body, 3, 1 << 20);
  if (reply) return "accepted";
  EXPECT_EQ(reply.error().code(), ErrorCode::extension_protocol) << body;
  return reply.error().detail();
}

TEST(RpcReply, WithAResultGivesIt) {
  const auto reply = parse_reply(R"({"jsonrpc":"2.0","id":3,"result":{"a":1}})", 3, 1 << 20);
  ASSERT_TRUE(reply);
  ASSERT_TRUE(*reply);
  EXPECT_EQ(json::write(**reply), R"({"a":1})");
}

TEST(RpcReply, WithANullResultIsAResult) {
  const auto reply = parse_reply(R"({"jsonrpc":"2.0","id":3,"result":null})", 3, 1 << 20);
  ASSERT_TRUE(reply);
  ASSERT_TRUE(*reply);
  EXPECT_TRUE((*reply)->is_null());
}

TEST(RpcReply, WithAnErrorIsNoFailureOfTheConnection) {
  const auto reply =
      parse_reply(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32003,"message":"no"}})", 3, 1 << 20);
  ASSERT_TRUE(reply);
  ASSERT_FALSE(*reply);
  EXPECT_EQ(reply->error().code, -32003);
  EXPECT_EQ(reply->error().message, "no");
}

TEST(RpcReply, NamesWhatIsWrong) {
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":4,"result":1})"),
              HasSubstr("`id` of the answer is 4; expected 3"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":"3","result":1})"), HasSubstr("`id` of the answer is \"3\""));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","result":1})"), HasSubstr("`id` of the answer is nothing"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"1.0","id":3,"result":1})"),
              HasSubstr("`jsonrpc` of the answer is \"1.0\""));
  EXPECT_THAT(refusal(R"({"id":3,"result":1})"), HasSubstr("`jsonrpc` of the answer is nothing"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3})"), HasSubstr("neither `result` nor `error`"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3,"result":1,"error":{"code":1,"message":"x"}})"),
              HasSubstr("both `result` and `error`"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3,"result":1,"error":null})"),
              HasSubstr("both `result` and `error`"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3,"error":{"code":"x","message":"x"}})"),
              HasSubstr("`error.code`"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3,"error":{"code":1}})"), HasSubstr("`error.message`"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3,"error":"x"})"), HasSubstr("`error.code`"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","method":"log","params":{}})"), HasSubstr("sent a request"));
  EXPECT_THAT(refusal("[]"), HasSubstr("of type array"));
  EXPECT_THAT(refusal("{oops"), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal(R"({"jsonrpc":"2.0","id":3,"id":3,"result":1})"), HasSubstr("is not JSON"));
}

}  // namespace
}  // namespace curupira::runtime
