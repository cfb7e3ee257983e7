#include "registry/docker_config.h"

#include <gmock/gmock.h>

#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class DockerConfigTest : public test::RegistryTest {
 protected:
  std::optional<RegistryLogin> login(const std::string& text, const std::string& authority = "example.org",
                                     const std::string& path = "team/plugins") {
    return DockerConfig::parse(text, "config.json").value().login_for(tools(), authority, path, diagnostics);
  }
};

constexpr std::string_view me = R"("auth":"bWU6YTpi")";  // me:a:b

TEST_F(DockerConfigTest, KeysAreHostsOrAddressesOrPaths) {
  const auto with_key = [](const std::string& key) {
    return R"({"auths":{")" + key + R"(":{)" + std::string(me) + "}}}";
  };
  for (const std::string key : {"example.org", "https://example.org/v1/", "http://example.org",
                                "example.org/team", "example.org/team/plugins"}) {
    const auto found = login(with_key(key));
    ASSERT_TRUE(found) << key;
    EXPECT_EQ(found->user, "me");
    EXPECT_EQ(found->secret.reveal(), "a:b");
    EXPECT_EQ(found->origin, "config.json");
  }
  for (const std::string key :
       {"example.org:5000", "other.example.org", "example.org/tea", "example.org/team/plugins/x"})
    EXPECT_FALSE(login(with_key(key))) << key;
  EXPECT_TRUE(login(with_key("example.org:5000"), "example.org:5000"));
}

TEST_F(DockerConfigTest, OtherWaysToWriteALogin) {
  EXPECT_EQ(login(R"({"auths":{"example.org":{"username":"me","password":"x"}}})")->secret.reveal(), "x");
  const auto token = login(R"({"auths":{"example.org":{"auth":"bWU6eA==","identitytoken":"t"}}})");
  EXPECT_TRUE(token->is_identity_token);
  EXPECT_EQ(token->secret.reveal(), "t");
  EXPECT_TRUE(token->user_info().empty());
}

TEST_F(DockerConfigTest, WhatIsNoLoginIsNone) {
  for (const std::string text :
       {"{}", R"({"auths":[]})", R"({"auths":{"example.org":7}})", R"({"auths":{"example.org":{}}})",
        R"({"auths":{"example.org":{"auth":"!"}}})", R"({"auths":{"example.org":{"auth":"bWU="}}})",
        R"({"credHelpers":{"example.org":7}})", R"({"credsStore":7})"})
    EXPECT_FALSE(login(text)) << text;
  EXPECT_FALSE(DockerConfig::parse("[]", "x"));
  EXPECT_FALSE(DockerConfig::parse("", "x"));
}

TEST_F(DockerConfigTest, TheHostsHelperComesBeforeTheStoreAndThatBeforeTheFile) {
  const std::string text =
      R"({"credsStore":"all","credHelpers":{"example.org":"own"},"auths":{"example.org":{)" +
      std::string(me) + "}}}";
  processes.prints("docker-credential-own", R"({"Username":"own","Secret":"1"})");
  processes.prints("docker-credential-all", R"({"Username":"all","Secret":"2"})");
  EXPECT_EQ(login(text)->user, "own");
  EXPECT_EQ(processes.requests.back().input, "example.org");
  EXPECT_EQ(login(text, "other.example.org")->user, "all");
  processes.when("docker-credential-own", [](const ProcessRequest&) {
    return test::FakeProcessRunner::exited(1, "credentials not found in native keychain\n", {});
  });
  EXPECT_EQ(login(text)->user, "me");
  EXPECT_TRUE(diagnostics.all.empty());
}

TEST_F(DockerConfigTest, AHelpersTokenIsAnIdentityToken) {
  processes.prints("docker-credential-x", R"({"Username":"<token>","Secret":"t"})");
  EXPECT_TRUE(login(R"({"credsStore":"x"})")->is_identity_token);
}

TEST_F(DockerConfigTest, AHelperThatMakesNoSenseIsWarnedAboutWithoutItsWords) {
  for (const std::string answer : {"", "secret", R"({"Secret":7})", R"({"Username":"secret"})"}) {
    processes.prints("docker-credential-x", answer);
    EXPECT_FALSE(login(R"({"credsStore":"x"})"));
    EXPECT_THAT(diagnostics.all.back().text, ::testing::StartsWith("docker-credential-x gives no login"));
    EXPECT_THAT(diagnostics.all.back().text, ::testing::Not(::testing::HasSubstr("secret\"")));
  }
  processes.requests.clear();
  EXPECT_FALSE(login(R"({"credsStore":"../x"})"));
  EXPECT_TRUE(processes.requests.empty());
}

TEST_F(DockerConfigTest, TheFileIsWhereTheVariableSaysElseInTheHome) {
  const std::string text = R"({"auths":{"example.org":{)" + std::string(me) + "}}}";
  folder.write("user/.docker/config.json", text);
  const auto has_login = [&] {
    return DockerConfig::load(environment, *files, diagnostics)
        .login_for(tools(), "example.org", "x", diagnostics)
        .has_value();
  };
  EXPECT_TRUE(has_login());
  environment.set("DOCKER_CONFIG", (folder / "none").string());
  EXPECT_FALSE(has_login());
  EXPECT_TRUE(diagnostics.all.empty());
  folder.write("bad/config.json", "{\"secret");
  environment.set("DOCKER_CONFIG", (folder / "bad").string());
  EXPECT_FALSE(has_login());
  ASSERT_EQ(diagnostics.all.size(), 1u);
  EXPECT_THAT(diagnostics.all[0].text, ::testing::Not(::testing::HasSubstr("secret")));
}

}  // namespace
}  // namespace curupira::registry
