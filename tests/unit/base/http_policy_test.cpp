#include "base/http_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<Url> urls(const std::vector<std::string>& texts) {
  std::vector<Url> parsed;
  for (const auto& text : texts)
    parsed.push_back(Url::parse(text).value());
  return parsed;
}

Result<Url> target(const std::vector<std::string>& visited, const std::string& location) {
  return redirect_target(urls(visited), &location, 3);
}

TEST(HttpPolicy, RedirectsMayGoUpToHttpsButNotDown) {
  EXPECT_TRUE(target({"http://a.example.org/"}, "https://b.example.org/"));
  EXPECT_TRUE(target({"https://a.example.org/"}, "//b.example.org/x"));
  const auto down = target({"https://a.example.org/"}, "http://a.example.org/x");
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().code(), ErrorCode::redirect_refused);
}

TEST(HttpPolicy, ARedirectNeedsALocation) {
  EXPECT_FALSE(redirect_target(urls({"http://a.example.org/"}), nullptr, 3));
  EXPECT_FALSE(target({"http://a.example.org/"}, ""));
  EXPECT_FALSE(target({"http://a.example.org/"}, "javascript:alert(1)"));
}

TEST(HttpPolicy, ExactlyTheAllowedNumberOfRedirects) {
  const std::string a = "http://example.org/";
  EXPECT_TRUE(target({a, a + "1", a + "2"}, "/3"));
  EXPECT_FALSE(target({a, a + "1", a + "2", a + "3"}, "/4"));
}

TEST(HttpPolicy, BackoffDoublesAndEnds) {
  EXPECT_EQ(backoff(1, milliseconds(250), std::nullopt), milliseconds(250));
  EXPECT_EQ(backoff(3, milliseconds(250), std::nullopt), milliseconds(1000));
  EXPECT_EQ(backoff(1000, milliseconds(250), std::nullopt), longest_retry_after);
}

TEST(HttpPolicy, BackoffIsAtLeastWhatIsAskedAndBounded) {
  EXPECT_EQ(backoff(1, milliseconds(250), seconds(5)), seconds(5));
  EXPECT_EQ(backoff(1, milliseconds(250), seconds(0)), milliseconds(250));
  EXPECT_EQ(backoff(1, milliseconds(250), seconds(86400)), longest_retry_after);
}

TEST(HttpPolicy, RetryAfterInSeconds) {
  EXPECT_EQ(parse_retry_after("7", nullptr), seconds(7));
  EXPECT_EQ(parse_retry_after("99999999999999999999", nullptr), longest_retry_after);
  EXPECT_EQ(parse_retry_after("-1", nullptr), std::nullopt);
  EXPECT_EQ(parse_retry_after("soon", nullptr), std::nullopt);
}

TEST(HttpPolicy, RetryAfterAsADateCountsFromTheServersClock) {
  const std::string now = "Wed, 21 Oct 2015 07:28:00 GMT";
  EXPECT_EQ(parse_retry_after("Wed, 21 Oct 2015 07:28:09 GMT", &now), seconds(9));
  EXPECT_EQ(parse_retry_after("Wed, 21 Oct 2015 07:27:00 GMT", &now), seconds(0));
  EXPECT_EQ(parse_retry_after("Wed, 21 Oct 2015 07:28:09 GMT", nullptr), std::nullopt);
}

TEST(HttpPolicy, ContentRange) {
  const auto range = parse_content_range("bytes 5-9/10");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 5u);
  EXPECT_EQ(range->last, 9u);
  EXPECT_EQ(range->total, 10u);
  EXPECT_EQ(parse_content_range("bytes 5-9/*")->total, std::nullopt);
  for (const char* bad :
       {"", "bytes", "bytes 9-5/10", "bytes 5-9/9", "bytes */10", "items 5-9/10", "bytes -9/10",
        "bytes 5-/10", "bytes 5-9", "bytes 5-99999999999999999999/*", "bytes 5/9-10"})
    EXPECT_FALSE(parse_content_range(bad)) << bad;
}

TEST(HttpPolicy, StallTimeout) {
  EXPECT_EQ(parse_stall_timeout("90"), seconds(90));
  for (const char* bad : {"", "0", "-1", "3601", "1.5", "soon"})
    EXPECT_EQ(parse_stall_timeout(bad), std::nullopt) << bad;
}

TEST(HttpPolicy, WhichStatusIsWorthAnotherAttempt) {
  for (const int status : {408, 429, 500, 502, 503, 504})
    EXPECT_TRUE(is_worth_another_attempt(status)) << status;
  for (const int status : {400, 401, 403, 404, 410})
    EXPECT_FALSE(is_worth_another_attempt(status)) << status;
}

}  // namespace
}  // namespace curupira
