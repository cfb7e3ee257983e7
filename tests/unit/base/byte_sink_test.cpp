#include "base/byte_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// A sink that takes nothing, like a full disk.
class FailingSink final : public ByteSink {
 public:
  Result<> write(std::span<const std::byte>) override { return fail(ErrorCode::file_failed, "disk full"); }
  Result<> restart() override { return fail(ErrorCode::file_failed, "cannot start again"); }
};

TEST(StringSink, KeepsTheBytesInOrder) {
  StringSink sink(10);
  ASSERT_TRUE(sink.write(bytes_of("one")));
  ASSERT_TRUE(sink.write(bytes_of("")));
  ASSERT_TRUE(sink.write(bytes_of("two")));
  EXPECT_EQ(sink.text(), "onetwo");
}

TEST(StringSink, TakesExactlyItsLimit) {
  StringSink sink(3);
  EXPECT_TRUE(sink.write(bytes_of("one")));
}

TEST(StringSink, RefusesMoreThanItsLimit) {
  StringSink sink(3);
  ASSERT_TRUE(sink.write(bytes_of("on")));
  const auto result = sink.write(bytes_of("eo"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::response_too_large);
  EXPECT_EQ(result.error().detail(), "more than 3 bytes");
}

TEST(StringSink, RestartForgets) {
  StringSink sink(3);
  ASSERT_TRUE(sink.write(bytes_of("one")));
  ASSERT_TRUE(sink.restart());
  ASSERT_TRUE(sink.write(bytes_of("two")));
  EXPECT_EQ(sink.take(), "two");
}

TEST(LimitSink, PassesOnUpToTheLimit) {
  StringSink end(100);
  LimitSink sink(end, 4);
  ASSERT_TRUE(sink.write(bytes_of("four")));
  EXPECT_EQ(end.text(), "four");
  EXPECT_EQ(sink.count(), 4u);
}

TEST(LimitSink, PassesOnNothingOfAWriteThatIsTooMuch) {
  StringSink end(100);
  LimitSink sink(end, 4);
  const auto result = sink.write(bytes_of("fives"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::artifact_too_large);
  EXPECT_EQ(result.error().detail(), "more than 4 bytes");
  EXPECT_EQ(end.text(), "");
}

TEST(LimitSink, CountsAnewAfterRestart) {
  StringSink end(100);
  LimitSink sink(end, 4);
  ASSERT_TRUE(sink.write(bytes_of("four")));
  ASSERT_TRUE(sink.restart());
  EXPECT_TRUE(sink.write(bytes_of("four")));
  EXPECT_EQ(end.text(), "four");
}

TEST(LimitSink, GivesTheErrorOfTheNextSink) {
  FailingSink end;
  LimitSink sink(end, 4);
  const auto result = sink.write(bytes_of("one"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().detail(), "disk full");
  EXPECT_EQ(sink.count(), 0u);
}

TEST(DigestSink, DigestsWhatItPassesOn) {
  StringSink end(100);
  DigestSink sink(end, DigestAlgorithm::sha256);
  ASSERT_TRUE(sink.write(bytes_of("a")));
  ASSERT_TRUE(sink.write(bytes_of("bc")));
  EXPECT_EQ(end.text(), "abc");
  EXPECT_EQ(sink.finish(), digest_of(DigestAlgorithm::sha256, "abc"));
}

TEST(DigestSink, DigestsAnewAfterRestart) {
  StringSink end(100);
  DigestSink sink(end, DigestAlgorithm::sha256);
  ASSERT_TRUE(sink.write(bytes_of("half of a tra")));
  ASSERT_TRUE(sink.restart());
  ASSERT_TRUE(sink.write(bytes_of("abc")));
  EXPECT_EQ(sink.finish(), digest_of(DigestAlgorithm::sha256, "abc"));
}

TEST(DigestSink, DoesNotRestartWhenTheNextSinkCannot) {
  FailingSink end;
  DigestSink sink(end, DigestAlgorithm::sha256);
  EXPECT_FALSE(sink.restart());
}

}  // namespace
}  // namespace curupira
