// Requests that bring something: POST, PUT, PATCH, and HEAD, which wants nothing but the headers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/http_client.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/base/loopback_server.h"

namespace curupira {
namespace {

using test::answer;
using test::content_of;
using test::header_of;
using test::LoopbackServer;
using test::target_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Reply = LoopbackServer::Reply;
using Then = LoopbackServer::Then;

Url url(const std::string& text) {
  return Url::parse(text).value();
}

Result<HttpResponse> send(HttpRequest request) {
  return make_curl_http_client({}, {.first_backoff = std::chrono::milliseconds(1)})->send(std::move(request));
}

Reply ok(const std::string&) {
  return Reply{answer("201 Created", "made", "Location: /made\r\n")};
}

/// Answers the first request with `first`, all others with 201.
LoopbackServer::Handler at_first(Reply first) {
  return
      [first, count = 0](const std::string& request) mutable { return count++ == 0 ? first : ok(request); };
}

TEST(HttpSend, TheMethodTheBytesAndTheAnswersHeaders) {
  const LoopbackServer server(ok);
  for (const HttpMethod method : {HttpMethod::post, HttpMethod::put, HttpMethod::patch}) {
    const auto response = send({.url = url(server.url("/x?y=1")),
                                .headers = {{"Content-Type", "text/plain"}},
                                .method = method,
                                .content = {.bytes = "hello"}});
    ASSERT_TRUE(response) << response.error().detail();
    EXPECT_EQ(response->status, 201);
    EXPECT_EQ(*response->header("location"), "/made");
    const std::string request = server.requests().back();
    EXPECT_THAT(request, StartsWith(std::string(name_of(method)) + " /x?y=1 "));
    EXPECT_EQ(header_of(request, "Content-Length"), "5");
    EXPECT_EQ(header_of(request, "Content-Type"), "text/plain");
    EXPECT_EQ(content_of(request), "hello");
  }
}

TEST(HttpSend, NothingIsSentAsContentOfNoLength) {
  const LoopbackServer server(ok);
  ASSERT_TRUE(send({.url = url(server.url("/x")), .method = HttpMethod::post}));
  EXPECT_EQ(header_of(server.requests().at(0), "Content-Length"), "0");
}

TEST(HttpSend, PartsOfAFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("x", "0123456789");
  const LoopbackServer server(ok);
  ASSERT_TRUE(send({.url = url(server.url("/x")),
                    .method = HttpMethod::put,
                    .content = {.file = file, .offset = 3, .file_bytes = 4}}));
  EXPECT_EQ(content_of(server.requests().at(0)), "3456");
}

TEST(HttpSend, ALargeFile) {
  const test::TemporaryFolder folder;
  const std::string bytes(3'000'000, 'z');
  const auto file = folder.write("x", bytes);
  const LoopbackServer server(ok);
  ASSERT_TRUE(send({.url = url(server.url("/x")),
                    .method = HttpMethod::put,
                    .content = {.file = file, .file_bytes = bytes.size()}}));
  EXPECT_EQ(content_of(server.requests().at(0)), bytes);
}

TEST(HttpSend, AFileThatIsNotThereIsNoRequest) {
  const LoopbackServer server(ok);
  const auto response = send({.url = url(server.url("/x")),
                              .method = HttpMethod::put,
                              .content = {.file = "/none", .file_bytes = 1}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::file_not_found);
  EXPECT_THAT(response.error().detail(), HasSubstr("/none"));
  EXPECT_TRUE(server.requests().empty());
}

TEST(HttpSend, AFileThatIsShorterThanSaidIsAnErrorAtOnce) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("x", "0123");
  const LoopbackServer server(ok);
  const auto response = send({.url = url(server.url("/x")),
                              .method = HttpMethod::put,
                              .content = {.file = file, .file_bytes = 100}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::file_failed);
  EXPECT_THAT(response.error().detail(), HasSubstr("shorter"));
}

TEST(HttpSend, HeadGetsNoBodyHoweverLongItWouldBe) {
  const LoopbackServer server(
      [](const std::string&) { return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"}; });
  const auto response = send({.url = url(server.url("/x")), .max_bytes = 10, .method = HttpMethod::head});
  ASSERT_TRUE(response) << response.error().detail();
  EXPECT_EQ(*response->header("content-length"), "99999999999");
  EXPECT_THAT(server.requests().at(0), StartsWith("HEAD /x "));
}

TEST(HttpSend, AnAcceptedStatusIsAnAnswer) {
  const LoopbackServer server([](const std::string&) {
    return Reply{answer("401 Unauthorized", "who are you", "WWW-Authenticate: Basic realm=\"x\"\r\n")};
  });
  StringSink body(100);
  const auto response =
      make_curl_http_client({})->get({.url = url(server.url("/x")), .accepted = {401, 404}}, body);
  ASSERT_TRUE(response) << response.error().detail();
  EXPECT_EQ(response->status, 401);
  EXPECT_EQ(*response->header("www-authenticate"), "Basic realm=\"x\"");
  EXPECT_EQ(body.text(), "");
}

struct Repeated {
  HttpMethod method;
  const char* status;
  std::size_t requests;
};

class HttpSendAgain : public ::testing::TestWithParam<Repeated> {};

TEST_P(HttpSendAgain, OnlyWhatDoesNoHarm) {
  const LoopbackServer server(at_first({answer(GetParam().status, "")}));
  const auto response =
      send({.url = url(server.url("/x")), .method = GetParam().method, .content = {.bytes = "hello"}});
  EXPECT_EQ(response.has_value(), GetParam().requests == 2);
  ASSERT_EQ(server.requests().size(), GetParam().requests);
  EXPECT_EQ(content_of(server.requests().back()), "hello");
}

INSTANTIATE_TEST_SUITE_P(All, HttpSendAgain,
                         ::testing::Values(Repeated{HttpMethod::put, "500 No", 2},
                                           Repeated{HttpMethod::put, "503 Busy", 2},
                                           Repeated{HttpMethod::post, "500 No", 1},
                                           Repeated{HttpMethod::post, "503 Busy", 2},
                                           Repeated{HttpMethod::patch, "500 No", 1},
                                           Repeated{HttpMethod::patch, "429 Slowly", 2}));

TEST(HttpSend, APostThatTheServerMayHaveSeenIsNotRepeated) {
  const LoopbackServer server(at_first({"", Then::close}));
  const auto response =
      send({.url = url(server.url("/x")), .method = HttpMethod::post, .content = {.bytes = "hello"}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::network_unreachable);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpSend, ARedirectOfTheSameServerIsFollowedWithTheContent) {
  const LoopbackServer server([](const std::string& request) {
    if (target_of(request) == "/x") return Reply{answer("307 There", "", "Location: /y\r\n")};
    return ok(request);
  });
  ASSERT_TRUE(send({.url = url(server.url("/x")), .method = HttpMethod::put, .content = {.bytes = "hello"}}));
  EXPECT_THAT(server.requests().at(1), StartsWith("PUT /y "));
  EXPECT_EQ(content_of(server.requests().at(1)), "hello");
}

TEST(HttpSend, NothingIsSentToAnotherServer) {
  const LoopbackServer other(ok);
  const LoopbackServer server([&](const std::string&) {
    return Reply{answer("307 There", "", "Location: " + other.url("/y") + "\r\n")};
  });
  const auto response =
      send({.url = url(server.url("/x")), .method = HttpMethod::post, .content = {.bytes = "secret"}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::redirect_refused);
  EXPECT_THAT(response.error().detail(), HasSubstr(other.url("/y")));
  EXPECT_TRUE(other.requests().empty());
}

TEST(HttpSend, ARedirectThatWouldMakeAGetOfItIsRefused) {
  const LoopbackServer server(
      [](const std::string&) { return Reply{answer("302 Found", "", "Location: /y\r\n")}; });
  const auto response = send({.url = url(server.url("/x")), .method = HttpMethod::post});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code(), ErrorCode::redirect_refused);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpSend, TheNetrcFileCanBeLeftOut) {
  const LoopbackServer server(ok);
  const test::TemporaryFolder folder;
  const auto netrc = folder.write("netrc", "machine 127.0.0.1 login me password mine\n");
  const auto client = make_curl_http_client(Environment{{"NETRC", netrc.string()}});
  ASSERT_TRUE(client->send({.url = url(server.url("/x"))}));
  ASSERT_TRUE(client->send({.url = url(server.url("/x")), .with_netrc = false}));
  EXPECT_EQ(header_of(server.requests().at(0), "Authorization"), "Basic bWU6bWluZQ==");
  EXPECT_EQ(header_of(server.requests().at(1), "Authorization"), "");
}

}  // namespace
}  // namespace curupira
