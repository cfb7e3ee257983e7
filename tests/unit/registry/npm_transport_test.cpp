#include "registry/npm_transport.h"

#include "registry/npm_configuration.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class NpmTransportTest : public test::RegistryTest {
 protected:
  TransportOptions transport(std::string_view url) {
    const auto configuration = NpmConfiguration::load(tools(), diagnostics).value();
    return configuration.credentials()->transport_for(Url::parse(url).value());
  }
  void user_npmrc(std::string_view text) { folder.write("user/.npmrc", text); }
  static std::string proxy_of(const TransportOptions& options, std::string_view url) {
    const auto proxy = options.proxies->proxy_for(Url::parse(url).value()).value();
    return proxy ? proxy->address : "";
  }
};

TEST_F(NpmTransportTest, NothingIsSetWithoutSettings) {
  const auto options = transport("https://npm.example.org/");
  EXPECT_FALSE(options.authorities);
  EXPECT_EQ(options.proxies, nullptr);
  EXPECT_TRUE(options.check_certificate);
}

TEST_F(NpmTransportTest, DevNullIsAnEmptyFile) {
  environment.set("npm_config_userconfig", "/dev/null");
  user_npmrc("cafile=/ca.pem\n");
  EXPECT_FALSE(transport("https://npm.example.org/").authorities);
}

TEST_F(NpmTransportTest, Cafile) {
  user_npmrc("cafile=~/ca.pem\n");
  const auto options = transport("https://npm.example.org/");
  EXPECT_EQ(options.authorities->file, (folder / "user" / "ca.pem").string());
  EXPECT_TRUE(options.authorities->exclusive);
  EXPECT_NE(options.authorities->to_string().find("cafile in "), std::string::npos);
}

TEST_F(NpmTransportTest, CaInTheFileItself) {
  user_npmrc("ca=\"-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----\"\n");
  EXPECT_EQ(transport("https://npm.example.org/").authorities->pem,
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----");
  user_npmrc("ca[]=\"-----BEGIN CERTIFICATE-----\\nA\"\nca[]=\"-----BEGIN CERTIFICATE-----\\nB\"\n");
  EXPECT_EQ(transport("https://npm.example.org/").authorities->pem,
            "-----BEGIN CERTIFICATE-----\nA\n-----BEGIN CERTIFICATE-----\nB\n");
  user_npmrc("ca=null\n");
  EXPECT_FALSE(transport("https://npm.example.org/").authorities);
}

TEST_F(NpmTransportTest, StrictSslOffIsForNamedRegistriesOnlyAndLoud) {
  user_npmrc("registry=https://npm.example.org/\nstrict-ssl=false\n");
  EXPECT_FALSE(transport("https://npm.example.org/x").check_certificate);
  EXPECT_TRUE(transport("https://files.example.org/x").check_certificate);
  EXPECT_TRUE(was_reported("strict-ssl=false"));
}

TEST_F(NpmTransportTest, StrictSslOffWithoutARegistryIsNotUsed) {
  user_npmrc("strict-ssl=false\n");
  EXPECT_TRUE(transport("https://npm.example.org/x").check_certificate);
  EXPECT_TRUE(was_reported("is not used"));
}

TEST_F(NpmTransportTest, Proxies) {
  user_npmrc(
      "proxy=http://one.example.org:1\nhttps-proxy=http://two.example.org:2\nnoproxy=.corp.example.org\n");
  const auto options = transport("https://npm.example.org/");
  EXPECT_EQ(proxy_of(options, "https://npm.example.org/"), "http://two.example.org:2");
  EXPECT_EQ(proxy_of(options, "http://npm.example.org/"), "http://two.example.org:2") << "as npm";
  EXPECT_EQ(proxy_of(options, "https://npm.corp.example.org/"), "");
}

TEST_F(NpmTransportTest, WhatIsNotSetComesFromTheEnvironment) {
  environment.set("no_proxy", "npm.example.org");
  user_npmrc("proxy=http://one.example.org:1\nhttps-proxy=null\n");
  EXPECT_EQ(proxy_of(transport("https://npm.example.org/"), "https://npm.example.org/"), "");
  EXPECT_EQ(proxy_of(transport("https://a.example.org/"), "https://a.example.org/"),
            "http://one.example.org:1");
}

TEST_F(NpmTransportTest, VariablesOfNpm) {
  environment.set("npm_config_https_proxy", "http://one.example.org:1");
  environment.set("npm_config_strict_ssl", "false");
  environment.set("npm_config_registry", "https://npm.example.org/");
  const auto options = transport("https://npm.example.org/");
  EXPECT_EQ(proxy_of(options, "https://npm.example.org/"), "http://one.example.org:1");
  EXPECT_FALSE(options.check_certificate);
}

TEST_F(NpmTransportTest, ACertificateIsForItsRegistry) {
  user_npmrc("//npm.example.org/own/:certfile=/corp/me.pem\n//npm.example.org/own/:keyfile=/corp/me.key\n");
  const auto certificate = transport("https://npm.example.org/own/x").client_certificate;
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->certificate_file, "/corp/me.pem");
  EXPECT_EQ(certificate->key_file, "/corp/me.key");
  EXPECT_FALSE(transport("https://npm.example.org/other").client_certificate);
  EXPECT_FALSE(transport("https://files.example.org/own/x").client_certificate);
}

TEST_F(NpmTransportTest, AFileOfTheCurrentFolderChangesNothing) {
  folder.write(
      "work/.npmrc",
      "registry=https://npm.example.org/\nstrict-ssl=false\ncafile=ca.pem\nproxy=http://evil.example.org\n"
      "//npm.example.org/:certfile=x.pem\n");
  const auto options = transport("https://npm.example.org/");
  EXPECT_TRUE(options.check_certificate);
  EXPECT_FALSE(options.authorities);
  EXPECT_EQ(options.proxies, nullptr);
  EXPECT_FALSE(options.client_certificate);
  for (const char* key : {"`strict-ssl`", "`cafile`", "`proxy`", "certfile"})
    EXPECT_TRUE(was_reported(key)) << key;
}

TEST_F(NpmTransportTest, AValueThatMeansNothingIsReported) {
  user_npmrc("strict-ssl=perhaps\nca=hello\n");
  EXPECT_TRUE(transport("https://npm.example.org/").check_certificate);
  EXPECT_TRUE(was_reported("`strict-ssl`"));
  EXPECT_TRUE(was_reported("`ca`"));
}

}  // namespace
}  // namespace curupira::registry
