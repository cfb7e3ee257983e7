// Where requests and credentials go: redirects, authorization, proxies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/http_client.h"
#include "tests/support/temporary_folder.h"
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

constexpr std::uint64_t much = 1u << 20;

Url url(const std::string& text) {
  return Url::parse(text).value();
}

Result<std::string> fetch(HttpRequest request, const Environment& environment = {}) {
  const HttpOptions options{.max_attempts = 1, .stall_timeout = std::chrono::seconds(2)};
  return make_curl_http_client(environment, options)->get_text(std::move(request), much);
}

Reply redirect_to(const std::string& location) {
  return {answer("302 Found", "moved", "Location: " + location + "\r\n")};
}

LoopbackServer::Handler always(const Reply& reply) {
  return [reply](const std::string&) { return reply; };
}

class Credentials final : public CredentialSource {
 public:
  explicit Credentials(std::map<std::string, std::string> by_origin) : by_origin_(std::move(by_origin)) {}
  std::optional<Secret> authorization_for(const Url& asked) const override {
    const auto found = by_origin_.find(asked.origin());
    return found == by_origin_.end() ? std::nullopt : std::optional(Secret(found->second));
  }

 private:
  std::map<std::string, std::string> by_origin_;
};

TEST(HttpRedirect, RelativeOnesAreFollowedAndTheLastUrlIsTold) {
  const LoopbackServer server([](const std::string& request) {
    return target_of(request) == "/a/b" ? redirect_to("../c?d") : Reply{answer("200 OK", target_of(request))};
  });
  StringSink body(much);
  const auto response = make_curl_http_client({})->get({.url = url(server.url("/a/b"))}, body);
  ASSERT_TRUE(response);
  EXPECT_EQ(body.text(), "/c?d");
  EXPECT_EQ(response->url.to_string(), server.url("/c?d"));
}

TEST(HttpRedirect, ACircleIsRefused) {
  const LoopbackServer server(
      [](const std::string& request) { return redirect_to(target_of(request) == "/a" ? "/b" : "/a"); });
  const auto text = fetch({.url = url(server.url("/a"))});
  EXPECT_EQ(text.error().code(), ErrorCode::redirect_refused);
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(HttpRedirect, TooManyAreRefused) {
  int count = 0;
  const LoopbackServer server([&](const std::string&) { return redirect_to("/" + std::to_string(++count)); });
  EXPECT_EQ(fetch({.url = url(server.url("/0"))}).error().code(), ErrorCode::redirect_refused);
  EXPECT_EQ(server.requests().size(), 11u);
}

TEST(HttpRedirect, ToAFileIsRefused) {
  const LoopbackServer server(always(redirect_to("file:///etc/passwd")));
  EXPECT_EQ(fetch({.url = url(server.url("/"))}).error().code(), ErrorCode::redirect_refused);
}

TEST(HttpRedirect, TheSignatureOfASignedUrlIsNotShown) {
  const LoopbackServer there(always({answer("403 Forbidden", "")}));
  const LoopbackServer here(always(redirect_to(there.url("/object?signature=s3cret"))));
  const auto text = fetch({.url = url(here.url("/x"))});
  EXPECT_THAT(text.error().detail(),
              AllOf(HasSubstr(there.url("/object")), HasSubstr(here.url("/x")), Not(HasSubstr("s3cret"))));
}

// zkat/pacote-old#87: the token follows a redirect to another host.
TEST(HttpCredentials, AreAskedForAnewAtEachOrigin) {
  const LoopbackServer there(always({answer("200 OK", "")}));
  const LoopbackServer here(always(redirect_to(there.url("/x"))));
  const Credentials both(
      {{url(here.url("/")).origin(), "Bearer here"}, {url(there.url("/")).origin(), "Bearer there"}});
  ASSERT_TRUE(fetch({.url = url(here.url("/x")), .credentials = &both}));
  EXPECT_EQ(header_of(here.requests().at(0), "Authorization"), "Bearer here");
  EXPECT_EQ(header_of(there.requests().at(0), "Authorization"), "Bearer there");
}

TEST(HttpCredentials, NothingOfOneOriginReachesAnother) {
  const LoopbackServer there(always({answer("200 OK", "")}));
  const LoopbackServer here(always(redirect_to("http://me:theirs@" + there.authority() + "/x")));
  HttpRequest request{.url = url("http://me:mine@" + here.authority() + "/x")};
  request.headers = {{"Cookie", "mine"}, {"X-Plain", "goes"}};
  ASSERT_TRUE(fetch(std::move(request)));
  EXPECT_EQ(header_of(here.requests().at(0), "Authorization"), "Basic bWU6bWluZQ==");
  EXPECT_EQ(header_of(there.requests().at(0), "Authorization"), "");
  EXPECT_EQ(header_of(there.requests().at(0), "Cookie"), "");
  EXPECT_EQ(header_of(there.requests().at(0), "X-Plain"), "goes");
}

TEST(HttpCredentials, StayOnARedirectWithinTheOrigin) {
  const LoopbackServer server([](const std::string& request) {
    return target_of(request) == "/a" ? redirect_to("/b") : Reply{answer("200 OK", "")};
  });
  ASSERT_TRUE(fetch({.url = url("http://me:mine@" + server.authority() + "/a")}));
  EXPECT_EQ(header_of(server.requests().at(1), "Authorization"), "Basic bWU6bWluZQ==");
}

// npm/cli#7819: a malformed token is printed in the error; and a server can repeat a good one.
TEST(HttpCredentials, AreInNoError) {
  const LoopbackServer server([](const std::string& request) {
    return Reply{answer("401 Unauthorized", "bad: " + header_of(request, "Authorization"))};
  });
  const std::string origin = url(server.url("/")).origin();
  for (const char* value : {"Bearer s3cret", "Bearer s3cret\r\nX-Injected: 1"}) {
    const Credentials credentials({{origin, value}});
    const auto text = fetch({.url = url(server.url("/x")), .credentials = &credentials});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code(), ErrorCode::credentials_refused);
    EXPECT_THAT(text.error().detail(), AllOf(HasSubstr(origin), Not(HasSubstr("s3cret"))));
  }
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpCredentials, TheirAbsenceIsTold) {
  const LoopbackServer server(always({answer("401 Unauthorized", "who are you?")}));
  const auto text = fetch({.url = url(server.url("/x"))});
  EXPECT_EQ(text.error().code(), ErrorCode::credentials_refused);
  EXPECT_THAT(text.error().detail(),
              AllOf(HasSubstr("no credentials are configured"), HasSubstr("who are you?")));
}

class HttpNetrc : public ::testing::Test {
 protected:
  std::string authorization(HttpRequest request, std::string_view netrc) {
    environment.set("NETRC", folder.write("netrc", netrc).string());
    EXPECT_TRUE(fetch(std::move(request), environment));
    return header_of(server.requests().back(), "Authorization");
  }
  test::TemporaryFolder folder;
  Environment environment;
  LoopbackServer server{always({answer("200 OK", "")})};
  const std::string mine = "machine 127.0.0.1 login me password mine";
};

// kubernetes-sigs/krew#896, helm/helm#13228: netrc is ignored.
TEST_F(HttpNetrc, CountsWhereNothingElseDoes) {
  EXPECT_EQ(authorization({.url = url(server.url("/"))}, mine), "Basic bWU6bWluZQ==");
  EXPECT_EQ(authorization({.url = url(server.url("/"))}, "default login me password mine"),
            "Basic bWU6bWluZQ==");
  EXPECT_EQ(authorization({.url = url("http://you:x@" + server.authority())}, mine), "Basic eW91Ong=");
  const Credentials token({{url(server.url("/")).origin(), "Bearer t"}});
  EXPECT_EQ(authorization({.url = url(server.url("/")), .credentials = &token}, mine), "Bearer t");
}

TEST_F(HttpNetrc, GivesThePasswordOfTheNameInTheUrl) {
  EXPECT_EQ(authorization({.url = url("http://me@" + server.authority())}, mine), "Basic bWU6bWluZQ==");
  EXPECT_EQ(authorization({.url = url("http://you@" + server.authority())}, mine), "Basic eW91Og==");
}

TEST_F(HttpNetrc, ItsDefaultIsNotForWhereARedirectLeads) {
  const LoopbackServer first(always(redirect_to(server.url("/"))));
  EXPECT_EQ(authorization({.url = url(first.url("/"))}, "default login me password mine"), "");
  EXPECT_EQ(header_of(first.requests().back(), "Authorization"), "Basic bWU6bWluZQ==");
}

TEST_F(HttpNetrc, DoesNotGoInTheOpen) {
  environment.set("http_proxy", server.url("/"));
  EXPECT_EQ(authorization({.url = url("http://registry.example.org/")},
                          "machine registry.example.org login me password mine"),
            "");
}

/// Says for one origin how it is reached.
class Transport final : public CredentialSource {
 public:
  Transport(std::string origin, TransportOptions options) : origin_(std::move(origin)), options_(options) {}
  std::optional<Secret> authorization_for(const Url&) const override { return std::nullopt; }
  TransportOptions transport_for(const Url& asked) const override {
    return asked.origin() == origin_ ? options_ : TransportOptions{};
  }

 private:
  std::string origin_;
  TransportOptions options_;
};

TEST(HttpTransport, AProxyOfTheRequestCountsForItsOriginOnly) {
  const LoopbackServer there(always({answer("200 OK", "straight")}));
  const LoopbackServer proxy(always(redirect_to(there.url("/"))));
  const Environment own{{"http_proxy", "http://" + proxy.authority()}};
  const Transport transport("http://registry.example.org", {.proxies = std::make_shared<ProxyRules>(own)});
  EXPECT_EQ(fetch({.url = url("http://registry.example.org/x"), .credentials = &transport}).value(),
            "straight");
  EXPECT_EQ(target_of(proxy.requests().at(0)), "http://registry.example.org/x");
  EXPECT_EQ(target_of(there.requests().at(0)), "/");
}

TEST(HttpTransport, WhoNamesTheAuthoritiesIsTold) {
  const LoopbackServer server(always({""}));
  const std::string address = "https://" + server.authority();
  const Transport transport(
      address, {.authorities = TrustedAuthorities{.file = "/nowhere.pem", .origin = "cafile in .npmrc"}});
  const auto text = fetch({.url = url(address + "/x"), .credentials = &transport});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::tls_failed);
  EXPECT_THAT(text.error().detail(), HasSubstr("/nowhere.pem (cafile in .npmrc)"));
}

TEST(HttpTransport, AClientCertificateThatCannotBeReadIsNamed) {
  const LoopbackServer server(always({""}));
  const auto text = fetch({.url = url("https://" + server.authority() + "/x")},
                          Environment{{"CURUPIRA_CLIENT_CERT", "/nowhere/me.pem"}});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::tls_failed);
  EXPECT_THAT(text.error().detail(), HasSubstr("/nowhere/me.pem (CURUPIRA_CLIENT_CERT)"));
}

TEST(HttpProxy, OfTheGivenEnvironmentIsUsed) {
  const LoopbackServer proxy(always({answer("200 OK", "by proxy")}));
  const auto text = fetch({.url = url("http://registry.example.org/x")},
                          Environment{{"http_proxy", "http://me:pass@" + proxy.authority()}});
  ASSERT_TRUE(text) << text.error().detail();
  EXPECT_EQ(*text, "by proxy");
  EXPECT_EQ(target_of(proxy.requests().at(0)), "http://registry.example.org/x");
  EXPECT_EQ(header_of(proxy.requests().at(0), "Proxy-Authorization"), "Basic bWU6cGFzcw==");
}

TEST(HttpProxy, ItsRefusalOfATunnelIsToldWithItsName) {
  const LoopbackServer proxy(
      always({answer("407 Proxy Authentication Required", ""), LoopbackServer::Then::close}));
  const auto text = fetch({.url = url("https://registry.example.org/x")},
                          Environment{{"HTTPS_PROXY", "me:s3cret@" + proxy.authority()}});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::proxy_refused);
  EXPECT_THAT(text.error().detail(),
              AllOf(HasSubstr("407"), HasSubstr("http://" + proxy.authority()),
                    HasSubstr("https://registry.example.org/x"), Not(HasSubstr("s3cret"))));
}

TEST(HttpProxy, NoProxyGoesStraight) {
  const LoopbackServer server(always({answer("200 OK", "straight")}));
  const auto text = fetch({.url = url(server.url("/x"))},
                          Environment{{"http_proxy", "http://127.0.0.1:1"}, {"no_proxy", "127.0.0.0/8"}});
  EXPECT_EQ(text.value(), "straight");
}

TEST(HttpProxy, TheEnvironmentOfTheProcessDoesNotCount) {
  const LoopbackServer server(always({answer("200 OK", "straight")}));
  const char* before = ::getenv("http_proxy");
  const std::string saved = before != nullptr ? before : "";
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  const auto text = fetch({.url = url(server.url("/x"))});
  before != nullptr ? ::setenv("http_proxy", saved.c_str(), 1) : ::unsetenv("http_proxy");
  EXPECT_TRUE(text);
}

TEST(HttpTls, AMissingAuthorityFileIsNamed) {
  const LoopbackServer server(always({""}));
  const auto text = fetch({.url = url("https://" + server.authority() + "/x")},
                          Environment{{"SSL_CERT_FILE", "/nowhere/ca.pem"}});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::tls_failed);
  EXPECT_THAT(text.error().detail(), HasSubstr("/nowhere/ca.pem (SSL_CERT_FILE)"));
}

}  // namespace
}  // namespace curupira
