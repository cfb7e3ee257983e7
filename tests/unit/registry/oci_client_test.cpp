#include "registry/oci_client.h"

#include <gmock/gmock.h>

#include "registry/limits.h"
#include "tests/unit/registry/registry_fixture.h"
#include "tests/unit/registry/scripted_http_client.h"

namespace curupira::registry {
namespace {

using test::ScriptedHttpClient;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Answer = ScriptedHttpClient::Answer;
using Asked = ScriptedHttpClient::Asked;

const std::string base = "https://example.org/v2/team/plugins/";
const Digest digest = digest_of(DigestAlgorithm::sha256, "hello");
const std::string by_digest = oci_digest(digest);

class OciClientTest : public test::RegistryTest {
 protected:
  /// The registry answers `server`; all below uses it.
  OciClient& client(std::function<Answer(const Asked&)> server, std::uint64_t chunk_bytes = 1000) {
    scripted_.emplace(std::move(server));
    tools_.emplace(SourceTools{environment, home, folder / "work", *files, &*scripted_, processes});
    client_.emplace(*tools_, diagnostics, OciRepository::parse("oci://example.org/team/plugins").value(),
                    chunk_bytes);
    return *client_;
  }
  void have_login() {
    folder.write("user/.docker/config.json", R"({"auths":{"example.org":{"auth":"bWU6eA=="}}})");
  }
  const std::vector<Asked>& asked() const { return scripted_->asked; }
  std::vector<std::string> lines() const { return scripted_->lines(); }

 private:
  std::optional<ScriptedHttpClient> scripted_;
  std::optional<SourceTools> tools_;
  std::optional<OciClient> client_;
};

Answer challenge(const std::string& value) {
  return {.status = 401, .headers = {{"www-authenticate", value}}};
}

TEST_F(OciClientTest, NothingIsShownBeforeItIsAskedFor) {
  have_login();
  auto& registry = client([](const Asked& question) {
    return question.authorization == "Basic bWU6eA==" ? Answer{} : challenge("Basic realm=\"x\"");
  });
  EXPECT_TRUE(registry.has_blob(digest).value());
  EXPECT_TRUE(registry.has_blob(digest).value());
  ASSERT_EQ(asked().size(), 3u);
  EXPECT_EQ(asked()[0].authorization, "");
  EXPECT_EQ(asked()[2].authorization, "Basic bWU6eA==");
}

TEST_F(OciClientTest, ARefusedLoginIsNotSentAgain) {
  have_login();
  auto& registry = client([](const Asked&) { return challenge("Basic realm=\"x\""); });
  EXPECT_EQ(registry.has_blob(digest).error().code(), ErrorCode::credentials_refused);
  EXPECT_EQ(asked().size(), 2u);
  EXPECT_EQ(registry.has_blob(digest).error().code(), ErrorCode::credentials_refused);
  EXPECT_EQ(asked().size(), 3u);
}

TEST_F(OciClientTest, ATokenIsAskedForWithTheScopeOfTheQuestion) {
  have_login();
  auto& registry = client([](const Asked& question) -> Answer {
    if (question.line.starts_with("GET https://tokens.example.org/"))
      return {.body = R"({"access_token":"t"})"};
    if (question.authorization == "Bearer t") return {.status = 202, .headers = {{"location", "/up"}}};
    return challenge("Basic, Bearer realm=\"https://tokens.example.org/a?b=c\", service=\"s p\"");
  });
  ASSERT_TRUE(registry.has_blob(digest));
  EXPECT_EQ(asked()[1].line,
            "GET https://tokens.example.org/a?b=c&service=s%20p&scope=repository%3Ateam%2Fplugins%3Apull");
  EXPECT_EQ(asked()[1].authorization, "Basic bWU6eA==");
}

TEST_F(OciClientTest, ATokenThatExpiresIsRenewed) {
  int tokens = 0;
  auto& registry = client([&](const Asked& question) -> Answer {
    if (question.line.find("/token") != std::string::npos)
      return {.body = R"({"token":")" + std::to_string(++tokens) + R"("})"};
    return question.authorization == "Bearer 2" ||
                   (tokens == 1 && question.authorization == "Bearer 1" && question.line.starts_with("HEAD"))
               ? Answer{.body = "hello"}
               : challenge("Bearer realm=\"https://example.org/token\"");
  });
  ASSERT_TRUE(registry.has_blob(digest));
  StringSink sink(100);
  ASSERT_TRUE(registry.blob(digest, 100, sink));
  EXPECT_EQ(sink.text(), "hello");
  EXPECT_EQ(tokens, 2);
}

TEST_F(OciClientTest, AShortBlobIsOneRequestAfterThePlaceIsKnown) {
  auto& registry = client([](const Asked& question) -> Answer {
    if (question.line.starts_with("HEAD")) return {.status = 404};
    if (question.line.starts_with("POST"))
      return {.status = 202, .headers = {{"location", "https://example.org/up?state=a%3D"}}};
    return {.status = 201};
  });
  ASSERT_TRUE(registry.put_blob(digest, {.bytes = "hello"}));
  EXPECT_THAT(lines(), ElementsAre("HEAD " + base + "blobs/" + by_digest, "POST " + base + "blobs/uploads/",
                                   "PUT https://example.org/up?state=a%3D&digest=sha256%3A" + digest.hex()));
  EXPECT_EQ(asked()[2].content, "hello");
}

TEST_F(OciClientTest, ALongFileGoesInPieces) {
  const auto file = folder.write("file", std::string(2500, 'x'));
  int number = 0;
  auto& registry = client([&](const Asked& question) -> Answer {
    if (question.line.starts_with("HEAD")) return {.status = 404};
    if (question.line.starts_with("PUT")) return {.status = 201};
    return {.status = 202, .headers = {{"location", "/up/" + std::to_string(number++)}}};
  });
  ASSERT_TRUE(registry.put_blob(digest, {.file = file, .file_bytes = 2500}));
  ASSERT_EQ(asked().size(), 6u);
  std::vector<std::string> ranges;
  for (const Asked& each : asked()) {
    for (const auto& [name, value] : each.headers) {
      if (name == "Content-Range") ranges.push_back(each.line + " " + value);
    }
  }
  EXPECT_THAT(ranges,
              ElementsAre("PATCH https://example.org/up/0 0-999", "PATCH https://example.org/up/1 1000-1999",
                          "PATCH https://example.org/up/2 2000-2499"));
  EXPECT_THAT(asked()[5].line, ::testing::StartsWith("PUT https://example.org/up/3?digest="));
}

TEST_F(OciClientTest, AnUploadThatBreaksOffIsBegunAnewOnce) {
  int puts = 0;
  auto& registry = client([&](const Asked& question) -> Answer {
    if (question.line.starts_with("HEAD")) return {.status = 404};
    if (question.line.starts_with("POST")) return {.status = 202, .headers = {{"location", "/up"}}};
    return puts++ == 0 ? Answer{.breaks = true} : Answer{.status = 201};
  });
  EXPECT_TRUE(registry.put_blob(digest, {.bytes = "hello"}));
  EXPECT_EQ(asked().size(), 5u);
}

TEST_F(OciClientTest, AnUploadWithoutAPlaceIsNone) {
  for (const std::string location :
       {"", "https://other.example.org/up", "http://example.org/up", "//evil.org/x", "ftp://x/"}) {
    auto& registry = client([&](const Asked& question) -> Answer {
      if (question.line.starts_with("HEAD")) return {.status = 404};
      if (location.empty()) return {.status = 202};
      return {.status = 202, .headers = {{"location", location}}};
    });
    EXPECT_EQ(registry.put_blob(digest, {.bytes = "hello"}).error().code(), ErrorCode::carrier_unreadable)
        << location;
    EXPECT_EQ(asked().size(), 2u);
  }
}

TEST_F(OciClientTest, ReferrersGoOnFromPageToPageOfTheSameRegistry) {
  std::string next = "</v2/team/plugins/referrers/x?last=1>; rel=\"next\"";
  const std::string page = R"({"manifests":[{"artifactType":"a"}]})";
  const auto server = [&](const Asked& question) -> Answer {
    if (question.line.find("last=") != std::string::npos) return {.body = page};
    return {.body = page, .headers = {{"link", next}}};
  };
  EXPECT_EQ(client(server).referrers(digest).value().value().size(), 2u);
  next = "<https://other.example.org/>; rel=\"next\"";
  EXPECT_EQ(client(server).referrers(digest).error().code(), ErrorCode::carrier_unreadable);
  EXPECT_EQ(client([](const Asked&) { return Answer{.status = 404}; }).referrers(digest).value(),
            std::nullopt);
}

TEST_F(OciClientTest, PagesWithoutEndEnd) {
  auto& registry = client([](const Asked&) {
    return Answer{.body = R"({"manifests":[]})", .headers = {{"link", "<?next>; rel=\"next\""}}};
  });
  EXPECT_TRUE(registry.referrers(digest));
  EXPECT_EQ(asked().size(), static_cast<std::size_t>(Limits::max_oci_index_pages));
}

}  // namespace
}  // namespace curupira::registry
