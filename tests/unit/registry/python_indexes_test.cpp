#include "registry/python_indexes.h"

#include "registry/pip_configuration.h"
#include "registry/uv_configuration.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class PythonIndexesTest : public test::RegistryTest {
 protected:
  PythonIndexes read() { return read_python_indexes(tools(), &diagnostics); }
  /// The header that an address gets, "" for none.
  std::string header_for(std::string_view url) {
    const auto secret = read().credentials->authorization_for(Url::parse(url).value());
    return secret ? secret->reveal() : "";
  }
  void pip_conf(std::string_view text) {
    environment.set("PIP_CONFIG_FILE", folder.write("pip.conf", text).string());
  }
  void netrc(std::string_view text) {
    std::filesystem::permissions(folder.write("user/.netrc", text), std::filesystem::perms(0600));
  }
};

TEST_F(PythonIndexesTest, PipsVariablesCountWhereUvHasNone) {
  environment.set("PIP_INDEX_URL", "https://user:pass@one.example.org/simple");
  environment.set("PIP_EXTRA_INDEX_URL", "https://two.example.org/simple");
  EXPECT_EQ(read().environment.get("UV_DEFAULT_INDEX"), "https://user:pass@one.example.org/simple");
  EXPECT_EQ(read().environment.get("UV_EXTRA_INDEX_URL"), "https://two.example.org/simple");
  EXPECT_EQ(header_for("https://one.example.org/x.whl"), "Basic dXNlcjpwYXNz");
  environment.set("UV_INDEX", "https://three.example.org/simple");
  EXPECT_FALSE(read().environment.get("UV_DEFAULT_INDEX"));
}

TEST_F(PythonIndexesTest, NamedIndexesHaveTheirVariables) {
  environment.set("UV_INDEX", "https://one.example.org/simple my-index=https://two.example.org/simple");
  environment.set("UV_INDEX_MY_INDEX_USERNAME", "user");
  environment.set("UV_INDEX_MY_INDEX_PASSWORD", "pass");
  EXPECT_EQ(header_for("https://two.example.org/x.whl"), "Basic dXNlcjpwYXNz");
  EXPECT_EQ(header_for("https://one.example.org/x.whl"), "");
}

TEST_F(PythonIndexesTest, IndexesOfUvTomlHaveTheirVariables) {
  folder.write("user/.config/uv/uv.toml",
               "[[index]]\nname = \"corp\"\nurl = \"https://corp.example.org/simple\"\ndefault = true\n");
  environment.set("PIP_INDEX_URL", "https://one.example.org/simple");
  environment.set("UV_INDEX_CORP_USERNAME", "user");
  environment.set("UV_INDEX_CORP_PASSWORD", "pass");
  EXPECT_EQ(header_for("https://corp.example.org/x.whl"), "Basic dXNlcjpwYXNz");
  EXPECT_FALSE(read().environment.get("UV_DEFAULT_INDEX")) << "uv has an index of its own";
}

TEST_F(PythonIndexesTest, PipConf) {
  pip_conf(
      "# mine\n[global]\nindex-url = https://user:pass@one.example.org/simple\nextra-index-url =\n"
      "    https://two.example.org/simple\n    https://three.example.org/simple\n[install]\n"
      "index_url: https://four.example.org/simple\n[other]\nindex-url = https://no.example.org\n");
  EXPECT_EQ(read().environment.get("UV_DEFAULT_INDEX"), "https://four.example.org/simple");
  EXPECT_EQ(read().environment.get("UV_EXTRA_INDEX_URL"),
            "https://two.example.org/simple https://three.example.org/simple");
}

TEST_F(PythonIndexesTest, TrustedHostIsRefusedWithAWarning) {
  pip_conf("[global]\ntrusted-host = one.example.org\nindex-url = https://one.example.org/simple\n");
  const auto indexes = read();
  EXPECT_TRUE(was_reported("trusted-host"));
  EXPECT_TRUE(
      indexes.credentials->transport_for(Url::parse("https://one.example.org/").value()).check_certificate);
}

// astral-sh/uv#1474, #9243, #6649: the company CA works for the index, not for downloads.
TEST_F(PythonIndexesTest, CertificatesAndProxyReachUvAndOurDownloads) {
  pip_conf(
      "[global]\ncert = /corp/ca.pem\nclient-cert = /corp/me.pem\nproxy = me:pass@proxy.example.org:3128\n"
      "index-url = https://one.example.org/simple\n");
  const auto indexes = read();
  EXPECT_EQ(indexes.environment.get("SSL_CERT_FILE"), "/corp/ca.pem");
  EXPECT_EQ(indexes.environment.get("https_proxy"), "http://me:pass@proxy.example.org:3128");
  EXPECT_EQ(indexes.environment.get("SSL_CLIENT_CERT"), "/corp/me.pem");
  const Url wheel = Url::parse("https://one.example.org/x.whl").value();
  const auto transport = indexes.credentials->transport_for(wheel);
  EXPECT_EQ(transport.authorities->file, "/corp/ca.pem");
  EXPECT_EQ(transport.proxies->proxy_for(wheel).value()->address, "http://proxy.example.org:3128");
  EXPECT_EQ(transport.client_certificate->certificate_file, "/corp/me.pem");
  const auto elsewhere = indexes.credentials->transport_for(Url::parse("https://files.example.org/").value());
  EXPECT_FALSE(elsewhere.client_certificate) << "who we are is for the index";
  EXPECT_TRUE(elsewhere.authorities);
}

// kubernetes-sigs/krew#896, helm/helm#13228: netrc is ignored.
TEST_F(PythonIndexesTest, NetrcOpensAnIndexAlsoByHttp) {
  netrc("machine one.example.org login me password mine");
  environment.set("UV_DEFAULT_INDEX", "http://one.example.org/simple");
  EXPECT_EQ(header_for("http://one.example.org/x.whl"), "Basic bWU6bWluZQ==");
  EXPECT_EQ(header_for("http://two.example.org/x.whl"), "");
}

TEST_F(PythonIndexesTest, WhatIsMoreSpecificCounts) {
  netrc("machine one.example.org login me password mine");
  environment.set("UV_DEFAULT_INDEX", "https://user:pass@one.example.org/simple");
  EXPECT_EQ(header_for("https://one.example.org/x.whl"), "Basic dXNlcjpwYXNz");
}

TEST_F(PythonIndexesTest, TheKeyringIsAskedWhenConfigured) {
  have_program("keyring");
  processes.when("get", [](const ProcessRequest& request) {
    const bool known = request.argv.at(2) == "one.example.org" && request.argv.at(3) == "user";
    return test::FakeProcessRunner::exited(known ? 0 : 1, known ? "pass\n" : "", "");
  });
  environment.set("UV_DEFAULT_INDEX", "https://user@one.example.org/simple");
  EXPECT_EQ(header_for("https://one.example.org/x.whl"), "Basic dXNlcjo=") << "a token in place of a name";
  EXPECT_TRUE(processes.requests.empty());
  environment.set("PIP_KEYRING_PROVIDER", "subprocess");
  EXPECT_EQ(header_for("https://one.example.org/x.whl"), "Basic dXNlcjpwYXNz");
  EXPECT_EQ(processes.requests.at(0).argv.at(2), "https://one.example.org/simple");
  EXPECT_EQ(read().environment.get("UV_KEYRING_PROVIDER"), "subprocess");
}

TEST_F(PythonIndexesTest, AUserThatLooksLikeAnOptionIsNotGivenToTheKeyring) {
  have_program("keyring");
  environment.set("PIP_KEYRING_PROVIDER", "subprocess");
  environment.set("UV_DEFAULT_INDEX", "https://--help@one.example.org/simple");
  header_for("https://one.example.org/x.whl");
  EXPECT_TRUE(processes.requests.empty());
}

TEST(PipConfiguration, TheFilesAndTheirOrder) {
  Environment environment{{"HOME", "/home/me"}, {"XDG_CONFIG_DIRS", "/a:/b"}};
  const auto files = pip_configuration_files(environment);
  EXPECT_EQ(files,
            (std::vector<std::filesystem::path>{"/home/me/.config/pip/pip.conf", "/home/me/.pip/pip.conf",
                                                "/etc/pip.conf", "/a/pip/pip.conf", "/b/pip/pip.conf"}));
  environment.set("PIP_CONFIG_FILE", "/dev/null");
  EXPECT_TRUE(pip_configuration_files(environment).empty());
}

TEST(PipConfiguration, WhatIsNoSettingIsLeftOut) {
  EXPECT_TRUE(parse_pip_config("x\n= y\n[global\n  indented\n\n#a=b\n;c=d\n").empty());
  const auto lines = parse_pip_config("a=b\n\n[ s ]\r\nC_D : e\r\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].section, "s");
  EXPECT_EQ(lines[1].name, "c-d");
  EXPECT_EQ(lines[1].value, "e");
}

TEST_F(PythonIndexesTest, UvTomlIsFoundWhereUvFindsIt) {
  const auto urls = [this] { return UvConfiguration::load(environment, *files).indexes.size(); };
  folder.write("user/.config/uv/uv.toml",
               "index-url = \"https://a.example.org\"\n[pip]\nextra-index-url = [\"x\"]\n");
  EXPECT_EQ(urls(), 2u);
  environment.set("UV_NO_CONFIG", "1");
  EXPECT_EQ(urls(), 0u);
  environment.set("UV_CONFIG_FILE",
                  folder.write("own.toml", "[[index]]\nurl = \"https://b.example.org\"\n").string());
  EXPECT_EQ(urls(), 1u);
  folder.write("own.toml", "broken = \n");
  EXPECT_EQ(urls(), 0u) << "uv itself complains";
}

}  // namespace
}  // namespace curupira::registry
