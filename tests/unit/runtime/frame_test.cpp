#include "runtime/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira::runtime {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t limit = 1000;

TEST(Frame, HasEightLowerCaseDigitsAndTheBody) {
  EXPECT_EQ(encode_frame(R"({"jsonrpc":"2.0","id":1,"method":"describe"})", limit),
            R"(0000002c{"jsonrpc":"2.0","id":1,"method":"describe"})");
}

TEST(Frame, CountsBytesAndNotCharacters) {
  EXPECT_EQ(encode_frame("é", limit), "00000002é");
}

TEST(Frame, IsNotMadeBeyondTheLimit) {
  const auto frame = encode_frame(std::string(1001, 'x'), limit);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code(), ErrorCode::extension_frame_too_large);
}

TEST(FrameHeader, IsReadInEitherCase) {
  EXPECT_EQ(parse_frame_header("000000ff", limit), 255u);
  EXPECT_EQ(parse_frame_header("000000FF", limit), 255u);
}

TEST(FrameHeader, OfTheLimitIsRead) {
  EXPECT_EQ(parse_frame_header("000003e8", limit), 1000u);
}

TEST(FrameHeader, BeyondTheLimitIsRefusedWithBothNumbers) {
  const auto length = parse_frame_header("ffffffff", limit);
  ASSERT_FALSE(length);
  EXPECT_EQ(length.error().code(), ErrorCode::extension_frame_too_large);
  EXPECT_THAT(length.error().detail(), HasSubstr("ffffffff"));
  EXPECT_THAT(length.error().detail(), HasSubstr("1,000 bytes"));
}

TEST(FrameHeader, WithASignOrSpaceIsNone) {
  for (const auto* text : {"+00000ff", "-0000001", " 00000ff", "0x0000ff"}) {
    const auto length = parse_frame_header(text, limit);
    ASSERT_FALSE(length) << text;
    EXPECT_EQ(length.error().code(), ErrorCode::extension_stdout) << text;
  }
}

TEST(FrameDecoder, PutsPiecesTogether) {
  FrameDecoder decoder(limit);
  const std::string bytes = "00000003abc00000000";
  std::vector<std::string> bodies;
  for (const char c : bytes) {
    decoder.feed({&c, 1});
    const auto body = decoder.next();
    ASSERT_TRUE(body);
    if (*body) bodies.push_back(**body);
  }
  EXPECT_THAT(bodies, testing::ElementsAre("abc", ""));
}

TEST(FrameDecoder, KeepsWhatFollowsAFrame) {
  FrameDecoder decoder(limit);
  decoder.feed("00000001a00000001b");
  EXPECT_EQ(decoder.next().value(), "a");
  EXPECT_EQ(decoder.next().value(), "b");
  EXPECT_EQ(decoder.next().value(), std::nullopt);
}

// A program that prints "hi" and waits must not be waited for.
TEST(FrameDecoder, RefusesTextAtItsFirstByte) {
  FrameDecoder decoder(limit);
  decoder.feed("h");
  const auto body = decoder.next();
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code(), ErrorCode::extension_stdout);
}

TEST(FrameDecoder, KnowsHowMuchOfABodyHasCome) {
  FrameDecoder decoder(limit);
  EXPECT_FALSE(decoder.progress());
  decoder.feed("00000078abc");
  ASSERT_TRUE(decoder.progress());
  EXPECT_EQ(decoder.progress()->come, 3u);
  EXPECT_EQ(decoder.progress()->announced, 120u);
}

// microsoft/azure-devops-mcp#147, sbroenne/mcp-server-excel#636
TEST(StdoutPollution, IsQuotedPrintablyWithTheWayOut) {
  const auto error = stdout_pollution("Listening on \x1b[2Jport\nsecond line\n");
  EXPECT_THAT(error.detail(), HasSubstr("\"Listening on \\x1b[2Jport\""));
  EXPECT_THAT(error.detail(), Not(HasSubstr("second line")));
  EXPECT_THAT(error.help(), HasSubstr("stdout is for frames and stderr is for logs"));
}

TEST(StdoutPollution, OfEmptyLinesIsShownToo) {
  EXPECT_THAT(stdout_pollution("\n\nhello").detail(), HasSubstr("hello"));
}

}  // namespace
}  // namespace curupira::runtime
