#include "cli/doctor_network.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/doctor_fixture.h"
#include "tests/unit/registry/fake_http_client.h"

namespace curupira::cli {
namespace {

using Kind = ExaminedServer::Kind;
using Level = Finding::Level;
using test::says;

ExaminedServer server(Kind kind, const std::string& url) {
  return {.kind = kind, .url = Url::parse(url).value(), .named_by = "registry in /home/me/.npmrc"};
}

const std::string registry_url = "https://registry.example.org/npm/";
const std::string whoami_url = registry_url + "-/whoami";

/// Fails every transfer in the same way.
class Unreachable final : public HttpClient {
 public:
  explicit Unreachable(Error error) : error_(std::move(error)) {}
  void perform(std::span<HttpTransfer> transfers) override {
    for (HttpTransfer& transfer : transfers)
      transfer.outcome = fail(error_);
  }

 private:
  Error error_;
};

class DoctorNetwork : public testing::Test {
 protected:
  Findings examine(const ExaminedServer& one, HttpClient& client) {
    return examine_servers({one}, client, *files, environment, std::chrono::system_clock::time_point{});
  }
  /// What came of the request: always said last.
  Finding outcome(const ExaminedServer& one) { return examine(one, http).back(); }
  Finding failure(const ExaminedServer& one, ErrorCode code) {
    Unreachable client{Error(code, "the reason")};
    return examine(one, client).back();
  }
  /// What is said of the proxy: always second.
  Finding proxy(const std::string& url) { return examine(server(Kind::other, url), http).at(1); }

  registry::test::FakeHttpClient http;
  Environment environment;
  std::unique_ptr<FileSystem> files = make_posix_file_system();
};

TEST_F(DoctorNetwork, ARegistryIsAskedWhoWeAre) {
  http.answer(whoami_url, R"({"username": "tester"})");
  auto npm = server(Kind::npm_registry, registry_url);
  npm.credential = "//registry.example.org/npm/ in /home/me/.npmrc";
  const Finding finding = outcome(npm);
  EXPECT_EQ(finding.level, Level::ok);
  EXPECT_TRUE(says(finding, "logged in as tester by //registry.example.org/npm/ in /home/me/.npmrc"));
}

TEST_F(DoctorNetwork, NotLoggedInSaysWhichLineWouldDoIt) {
  http.refuse(whoami_url, 401);
  const Finding finding = outcome(server(Kind::npm_registry, registry_url));
  EXPECT_EQ(finding.level, Level::note);
  EXPECT_TRUE(says(finding, "not logged in"));
  EXPECT_TRUE(says(finding, "//registry.example.org/npm/:_authToken="));
}

TEST_F(DoctorNetwork, ARefusedLoginNamesTheLineThatWasSent) {
  http.refuse(whoami_url, 401);
  auto npm = server(Kind::npm_registry, registry_url);
  npm.credential = "//registry.example.org/ in /home/me/.npmrc";
  const Finding finding = outcome(npm);
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "refuses the login of //registry.example.org/ in /home/me/.npmrc"));
}

TEST_F(DoctorNetwork, ALoginThatTheRegistryTakesForNobodysIsAProblem) {
  http.answer(whoami_url, "{}");
  auto npm = server(Kind::npm_registry, registry_url);
  EXPECT_EQ(outcome(npm).level, Level::ok);
  npm.credential = "//registry.example.org/ in /home/me/.npmrc";
  EXPECT_EQ(outcome(npm).level, Level::problem);
}

TEST_F(DoctorNetwork, ARegistryThatDoesNotKnowTheQuestionIsReachable) {
  http.refuse(whoami_url, 404);
  EXPECT_EQ(outcome(server(Kind::npm_registry, registry_url)).level, Level::ok);
}

TEST_F(DoctorNetwork, AnIndexThatWantsALogin) {
  http.refuse("https://index.example.org/simple/", 401);
  const Finding finding = outcome(server(Kind::python_index, "https://index.example.org/simple/"));
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, ".netrc"));
}

TEST_F(DoctorNetwork, AnAnswerThatIsLongSaysThatTheServerAnswers) {
  EXPECT_EQ(failure(server(Kind::python_index, registry_url), ErrorCode::response_too_large).level,
            Level::ok);
}

TEST_F(DoctorNetwork, UnreachableSaysWhyAndWhatToDo) {
  const Finding direct = failure(server(Kind::npm_registry, registry_url), ErrorCode::network_unreachable);
  EXPECT_EQ(direct.level, Level::problem);
  EXPECT_TRUE(says(direct, "the reason"));
  EXPECT_TRUE(says(direct, "https_proxy"));
  environment.set("https_proxy", "http://proxy.example.org:3128");
  const Finding proxied = failure(server(Kind::npm_registry, registry_url), ErrorCode::network_unreachable);
  EXPECT_TRUE(says(proxied, "add registry.example.org to no_proxy"));
}

TEST_F(DoctorNetwork, ADefaultThatNobodyNamedNeedNotBeReached) {
  auto npm = server(Kind::npm_registry, registry_url);
  npm.standard = true;
  EXPECT_EQ(failure(npm, ErrorCode::network_unreachable).level, Level::warning);
}

TEST_F(DoctorNetwork, AnUnknownAuthorityNamesTheVariable) {
  EXPECT_TRUE(says(failure(server(Kind::other, registry_url), ErrorCode::tls_failed), "SSL_CERT_FILE"));
}

TEST_F(DoctorNetwork, TheProxyWithoutItsPassword) {
  environment.set("HTTPS_PROXY", "http://user:s3cret@proxy.example.org:3128");
  const Finding finding = proxy("https://registry.example.org/");
  EXPECT_TRUE(says(finding, "http://proxy.example.org:3128 (HTTPS_PROXY)"));
  EXPECT_FALSE(says(finding, "s3cret"));
}

TEST_F(DoctorNetwork, TheEntryOfNoProxyThatMatched) {
  environment.set("http_proxy", "http://proxy.example.org:3128");
  environment.set("no_proxy", "localhost,10.0.0.0/8");
  EXPECT_TRUE(says(proxy("http://10.1.2.3/"), "no_proxy has \"10.0.0.0/8\""));
  EXPECT_TRUE(says(proxy("https://10.1.2.3/"), "direct"));
}

TEST_F(DoctorNetwork, AProxyThatIsNoAddressIsAProblem) {
  environment.set("http_proxy", "ftp://proxy.example.org");
  const Finding finding = proxy("http://example.org/");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "http_proxy"));
}

/// As .npmrc may say it of one registry.
class OwnWay final : public CredentialSource {
 public:
  std::optional<Secret> authorization_for(const Url&) const override { return std::nullopt; }
  TransportOptions transport_for(const Url&) const override {
    TransportOptions options;
    options.check_certificate = false;
    return options;
  }
};

TEST_F(DoctorNetwork, ACertificateThatIsNotCheckedIsAWarning) {
  http.answer(whoami_url, "{}");
  auto npm = server(Kind::npm_registry, registry_url);
  npm.credentials = std::make_shared<OwnWay>();
  const auto findings = examine(npm, http);
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.level == Level::warning && says(finding, "strict-ssl");
  }));
}

}  // namespace
}  // namespace curupira::cli
