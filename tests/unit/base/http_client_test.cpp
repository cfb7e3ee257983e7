#include "base/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/base/loopback_server.h"

namespace curupira {
namespace {

using test::answer;
using test::header_of;
using test::LoopbackServer;
using test::target_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Reply = LoopbackServer::Reply;
using Then = LoopbackServer::Then;

constexpr std::uint64_t much = 1u << 20;

Url url(const std::string& text) {
  return Url::parse(text).value();
}

HttpOptions quick() {
  return {.first_backoff = std::chrono::milliseconds(1),
          .connect_timeout = std::chrono::seconds(2),
          .stall_timeout = std::chrono::seconds(1)};
}

std::unique_ptr<HttpClient> client(const Environment& environment = {}) {
  return make_curl_http_client(environment, quick());
}

Result<std::string> fetch(const std::string& address, const Environment& environment = {}) {
  return client(environment)->get_text({.url = url(address)}, much);
}

/// Answers the first request with `first` and all others with "again".
LoopbackServer::Handler at_first(Reply first) {
  return [first, count = 0](const std::string&) mutable {
    return count++ == 0 ? first : Reply{answer("200 OK", "again")};
  };
}

TEST(HttpClient, GivesBodyStatusAndHeaders) {
  const LoopbackServer server(
      [](const std::string&) { return Reply{answer("200 OK", "hello", "ETag: \"x\"\r\n")}; });
  StringSink body(much);
  const auto response = client()->get({.url = url(server.url("/a?b=c#d"))}, body);
  ASSERT_TRUE(response) << response.error().detail();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body_bytes, 5u);
  ASSERT_NE(response->header("etag"), nullptr);
  EXPECT_EQ(*response->header("etag"), "\"x\"");
  EXPECT_EQ(body.text(), "hello");
  EXPECT_EQ(target_of(server.requests().at(0)), "/a?b=c");
}

TEST(HttpClient, SaysWhoItIsAndAsksForNoCompression) {
  const LoopbackServer server([](const std::string&) { return Reply{answer("200 OK", "")}; });
  ASSERT_TRUE(
      client()->get_text({.url = url(server.url("/")), .headers = {{"Accept", "application/json"}}}, much));
  const std::string request = server.requests().at(0);
  EXPECT_THAT(header_of(request, "User-Agent"), ::testing::StartsWith("curupira/"));
  EXPECT_EQ(header_of(request, "Accept"), "application/json");
  EXPECT_EQ(header_of(request, "Accept-Encoding"), "");
}

TEST(HttpClient, KeepsItsConnectionFromOneCallToTheNext) {
  const LoopbackServer server([](const std::string&) { return Reply{answer("200 OK", "x")}; });
  const auto one = client();
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(one->get_text({.url = url(server.url("/"))}, much));
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, RunsManyTransfersAndKeepsThemApart) {
  const LoopbackServer server([](const std::string& request) {
    if (target_of(request) == "/7") return Reply{answer("404 Not Found", "")};
    return Reply{answer("200 OK", target_of(request))};
  });
  std::vector<StringSink> bodies(40, StringSink(much));
  std::vector<HttpTransfer> transfers;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    transfers.push_back({.request = {.url = url(server.url("/" + std::to_string(i)))}, .body = &bodies[i]});
  }
  client()->perform(transfers);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(transfers[i].outcome.has_value(), i != 7);
    EXPECT_EQ(bodies[i].text(), i == 7 ? "" : "/" + std::to_string(i));
  }
}

TEST(HttpClient, TellsTheProgress) {
  const LoopbackServer server(
      [](const std::string&) { return Reply{answer("200 OK", std::string(100'000, 'x'))}; });
  StringSink body(much);
  std::uint64_t last = 0;
  HttpTransfer transfer{.request = {.url = url(server.url("/"))},
                        .body = &body,
                        .on_progress = [&](std::uint64_t received) { last = received; }};
  client()->perform({&transfer, 1});
  EXPECT_EQ(last, 100'000u);
}

TEST(HttpClient, AnErrorStatusIsAnErrorWithTheServersWords) {
  const LoopbackServer server([](const std::string&) {
    return Reply{answer("404 Not Found", "{\"error\":\"no \x1b[31msuch package\"}")};
  });
  const auto text = fetch(server.url("/x"));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::http_not_found);
  EXPECT_THAT(text.error().detail(), AllOf(HasSubstr(server.url("/x")), HasSubstr("404"),
                                           HasSubstr("such package"), Not(HasSubstr("\x1b"))));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpClient, NotModifiedIsAnAnswer) {
  const LoopbackServer server(
      [](const std::string&) { return Reply{"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"}; });
  StringSink body(much);
  EXPECT_EQ(client()->get({.url = url(server.url("/"))}, body).value().status, 304);
}

TEST(HttpClient, OtherSchemesAreNotFetched) {
  EXPECT_EQ(fetch("file:///etc/passwd").error().code(), ErrorCode::url_invalid);
}

TEST(HttpClient, NobodyThereIsToldAtOnce) {  // NixOS/nix#6901: one dead mirror stalls everything
  std::string address;
  {
    address = LoopbackServer([](const std::string&) { return Reply{}; }).url("/x");
  }
  const auto text = fetch(address);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::network_unreachable);
  EXPECT_THAT(text.error().detail(), AllOf(HasSubstr(address), Not(HasSubstr("attempts"))));
}

// ---- hostile and broken answers

TEST(HttpClient, AShortBodyIsTruncatedAfterAllAttempts) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", Then::close};
  });
  const auto text = fetch(server.url("/x"));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::transfer_truncated);
  EXPECT_THAT(text.error().detail(), AllOf(HasSubstr("5 bytes of 100 bytes"), HasSubstr("after 3 attempts")));
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpClient, ATruncatedChunkedBodyIsTruncated) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", Then::close};
  });
  EXPECT_EQ(fetch(server.url("/x")).error().code(), ErrorCode::transfer_truncated);
}

TEST(HttpClient, BytesPastTheAnnouncedLengthAreNotTaken) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK", Then::close};
  });
  EXPECT_EQ(fetch(server.url("/x")).value(), "hello");
}

TEST(HttpClient, ARetryBeginsWithAnEmptySink) {
  const LoopbackServer server(at_first({"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", Then::close}));
  EXPECT_EQ(fetch(server.url("/x")).value(), "again");
}

TEST(HttpClient, AStandingTransferIsStalled) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", Then::silence};
  });
  HttpOptions options = quick();
  options.max_attempts = 1;
  const auto text = make_curl_http_client({}, options)->get_text({.url = url(server.url("/x"))}, much);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::transfer_stalled);
  EXPECT_THAT(text.error().detail(), HasSubstr("5 bytes of 100 bytes"));
}

TEST(HttpClient, AServerThatNeverAnswersIsAskedOnce) {
  const LoopbackServer server([](const std::string&) { return Reply{"", Then::silence}; });
  EXPECT_EQ(fetch(server.url("/x")).error().code(), ErrorCode::transfer_stalled);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpClient, AnAnnouncedLengthPastTheLimitIsRefusedBeforeTheBody) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", Then::silence};
  });
  const auto text = client()->get_text({.url = url(server.url("/x"))}, 10);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::response_too_large);
  EXPECT_THAT(text.error().detail(), HasSubstr("10 bytes"));
}

TEST(HttpClient, AnUnannouncedLengthPastTheLimitIsRefusedOnTheWay) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"HTTP/1.1 200 OK\r\n\r\n" + std::string(100'000, 'x'), Then::silence};
  });
  EXPECT_EQ(client()->get_text({.url = url(server.url("/x"))}, 1000).error().code(),
            ErrorCode::response_too_large);
}

TEST(HttpClient, TooManyHeadersAreRefused) {
  std::string headers;
  for (int i = 0; i < 5000; ++i)
    headers += "X-" + std::to_string(i) + ": " + std::string(80, 'x') + "\r\n";
  const LoopbackServer server([&](const std::string&) {
    return Reply{answer("200 OK", "", headers), Then::close};
  });
  EXPECT_FALSE(fetch(server.url("/x")));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpClient, WhatIsNotHttpIsRefused) {
  const LoopbackServer server([](const std::string&) {
    return Reply{"220 mail.example.org ESMTP\r\n", Then::close};
  });
  EXPECT_EQ(fetch(server.url("/x")).error().code(), ErrorCode::http_status);
}

TEST(HttpClient, ASinkThatWantsNoMoreEndsTheTransferWithItsError) {
  const LoopbackServer server([](const std::string&) { return Reply{answer("200 OK", "0123456789")}; });
  StringSink all(much);
  LimitSink limited(all, 4);
  const auto response = client()->get({.url = url(server.url("/x"))}, limited);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::artifact_too_large);
  EXPECT_EQ(server.requests().size(), 1u);
}

// ---- attempts

TEST(HttpClient, ABusyServerIsAskedAgain) {
  const LoopbackServer server(at_first({answer("503 Service Unavailable", "later", "Retry-After: 0\r\n")}));
  EXPECT_EQ(fetch(server.url("/x")).value(), "again");
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(HttpClient, ABrokenConnectionIsTriedAgain) {
  const LoopbackServer server(at_first({"", Then::close}));
  EXPECT_EQ(fetch(server.url("/x")).value(), "again");
}

TEST(HttpClient, TheAttemptsAreBounded) {
  const LoopbackServer server(
      [](const std::string&) { return Reply{answer("500 Internal Server Error", "")}; });
  const auto text = fetch(server.url("/x"));
  EXPECT_THAT(text.error().detail(), HasSubstr("after 3 attempts"));
  EXPECT_EQ(server.requests().size(), 3u);
}

}  // namespace
}  // namespace curupira
