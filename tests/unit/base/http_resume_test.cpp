// Bodies that come in two pieces: Range and If-Range (RFC 9110 §13.1.5, §14).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/http_client.h"
#include "tests/unit/base/loopback_server.h"

namespace curupira {
namespace {

using test::answer;
using test::header_of;
using test::LoopbackServer;
using ::testing::HasSubstr;
using Reply = LoopbackServer::Reply;
using Then = LoopbackServer::Then;

constexpr std::uint64_t much = 1u << 20;
const std::string tag = "ETag: \"v1\"\r\n";

Url url(const std::string& text) {
  return Url::parse(text).value();
}

std::string part(std::string_view range, std::string_view body, const std::string& more = tag) {
  return answer("206 Partial Content", body, "Content-Range: bytes " + std::string(range) + "\r\n" + more);
}

/// A sink that has "hello " already asks for the rest.
struct Resumed {
  explicit Resumed(LoopbackServer::Handler handler, std::string validator = "\"v1\"") : server(handler) {
    EXPECT_TRUE(body.write(std::as_bytes(std::span(std::string_view("hello ")))));
    HttpTransfer transfer{.request = {.url = url(server.url("/x")), .max_bytes = 100}, .body = &body};
    transfer.request.resume = ResumePoint{6, std::move(validator)};
    transfer.on_answer = [this](const HttpResponse& response) -> Result<> {
      statuses.push_back(response.status);
      return {};
    };
    transfer.on_progress = [this](std::uint64_t received) { last_progress = received; };
    make_curl_http_client({}, {.first_backoff = std::chrono::milliseconds(1)})->perform({&transfer, 1});
    outcome = std::move(transfer.outcome);
  }

  LoopbackServer server;
  StringSink body{much};
  std::vector<int> statuses;
  std::uint64_t last_progress = 0;
  Result<HttpResponse> outcome = fail(ErrorCode::internal);
};

TEST(HttpResume, OnlyTheRestIsAskedForAndCountedWithWhatWasThere) {
  const Resumed resumed([](const std::string&) { return Reply{part("6-10/11", "world")}; });
  ASSERT_TRUE(resumed.outcome) << resumed.outcome.error().detail();
  EXPECT_EQ(header_of(resumed.server.requests().at(0), "Range"), "bytes=6-");
  EXPECT_EQ(header_of(resumed.server.requests().at(0), "If-Range"), "\"v1\"");
  EXPECT_EQ(resumed.body.text(), "hello world");
  EXPECT_EQ(resumed.outcome->body_bytes, 11u);
  EXPECT_EQ(resumed.last_progress, 11u);
  EXPECT_EQ(resumed.statuses, std::vector<int>{206});
}

TEST(HttpResume, AServerThatSendsAllBeginsAnew) {  // the file changed, or ranges are not known
  const Resumed resumed([](const std::string&) { return Reply{answer("200 OK", "another file")}; });
  ASSERT_TRUE(resumed.outcome);
  EXPECT_EQ(resumed.body.text(), "another file");
  EXPECT_EQ(resumed.outcome->body_bytes, 12u);
  EXPECT_EQ(resumed.statuses, std::vector<int>{200});
}

TEST(HttpResume, ARangePastTheEndIsAskedForWholeOnce) {
  const Resumed resumed([](const std::string& request) {
    if (!header_of(request, "Range").empty()) return Reply{answer("416 Range Not Satisfiable", "")};
    return Reply{answer("200 OK", "new")};
  });
  ASSERT_TRUE(resumed.outcome) << resumed.outcome.error().detail();
  EXPECT_EQ(resumed.body.text(), "new");
  EXPECT_EQ(resumed.server.requests().size(), 2u);
}

class HttpWrongPart : public ::testing::TestWithParam<const char*> {};

TEST_P(HttpWrongPart, IsNotTakenAndTheWholeIsAskedFor) {
  const Resumed resumed([](const std::string& request) {
    if (!header_of(request, "Range").empty()) return Reply{part(GetParam(), "world"), Then::close};
    return Reply{answer("200 OK", "the whole")};
  });
  ASSERT_TRUE(resumed.outcome) << resumed.outcome.error().detail();
  EXPECT_EQ(resumed.body.text(), "the whole");
}

INSTANTIATE_TEST_SUITE_P(All, HttpWrongPart,
                         ::testing::Values("0-4/11",   // from the beginning
                                           "5-9/11",   // one too early
                                           "6-10/20",  // not to the end
                                           "6-90/91",  // another length than announced
                                           "6-10/8", "x", "6-"));

TEST(HttpResume, AServerThatOnlyEverAnswersWithPartsFailsAfterTwoRequests) {
  const Resumed resumed([](const std::string&) { return Reply{part("0-4/11", "hello"), Then::close}; });
  ASSERT_FALSE(resumed.outcome);
  EXPECT_EQ(resumed.outcome.error().code(), ErrorCode::http_status);
  EXPECT_EQ(resumed.server.requests().size(), 2u);
}

TEST(HttpResume, TheLimitCountsWhatWasThere) {
  const Resumed resumed([](const std::string&) {
    return Reply{part("6-105/106", std::string(100, 'x')), Then::close};
  });
  ASSERT_FALSE(resumed.outcome);
  EXPECT_EQ(resumed.outcome.error().code(), ErrorCode::response_too_large);
}

TEST(HttpResume, AValidatorThatBreaksTheLineIsNotSent) {
  const Resumed resumed([](const std::string&) { return Reply{answer("200 OK", "new")}; }, "x\r\nA: b");
  ASSERT_TRUE(resumed.outcome);
  EXPECT_EQ(header_of(resumed.server.requests().at(0), "Range"), "");
  EXPECT_EQ(resumed.body.text(), "new");
}

TEST(HttpResume, AnAttemptGoesOnWhereTheLastOneBroke) {
  const LoopbackServer server([](const std::string& request) {
    if (header_of(request, "Range") == "bytes=5-") return Reply{part("5-10/11", " world")};
    return Reply{"HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: 11\r\n" + tag + "\r\nhello",
                 Then::close};
  });
  const auto client = make_curl_http_client({}, {.first_backoff = std::chrono::milliseconds(1)});
  EXPECT_EQ(client->get_text({.url = url(server.url("/x"))}, much).value(), "hello world");
}

TEST(HttpResume, HeadersThatBreakOffChangeNothing) {
  int count = 0;
  const Resumed resumed([&](const std::string& request) {
    if (count++ == 0) return Reply{"HTTP/1.1 206 Partial Content\r\nContent-Ra", Then::close};
    EXPECT_EQ(header_of(request, "Range"), "bytes=6-");
    return Reply{part("6-10/11", "world")};
  });
  ASSERT_TRUE(resumed.outcome) << resumed.outcome.error().detail();
  EXPECT_EQ(resumed.body.text(), "hello world");
}

TEST(HttpResume, ThatTheReceiverRefusesTheAnswerEndsIt) {
  const LoopbackServer server([](const std::string&) { return Reply{answer("200 OK", "x")}; });
  StringSink body(much);
  HttpTransfer transfer{.request = {.url = url(server.url("/x"))}, .body = &body};
  transfer.on_answer = [](const HttpResponse&) -> Result<> {
    return fail(ErrorCode::file_failed, "no room");
  };
  make_curl_http_client({})->perform({&transfer, 1});
  ASSERT_FALSE(transfer.outcome);
  EXPECT_EQ(transfer.outcome.error().code(), ErrorCode::file_failed);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpValidator, IsTheStrongTagElseTheDate) {
  HttpResponse response{.url = url("https://example.org/"),
                        .headers = {{"etag", "W/\"x\""}, {"last-modified", "Tue, 01 Dec 2026 08:00:00 GMT"}}};
  EXPECT_THAT(response.validator(), HasSubstr("2026"));
  response.headers = {{"etag", "\"x\""}, {"last-modified", "Tue, 01 Dec 2026 08:00:00 GMT"}};
  EXPECT_EQ(response.validator(), "\"x\"");
  response.headers = {{"etag", "W/\"x\""}};
  EXPECT_EQ(response.validator(), "");
}

}  // namespace
}  // namespace curupira
