#include "base/proxy_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

/// The address of the proxy; "direct" without one.
std::string proxy_of(const std::string& url, const Environment& environment) {
  const auto proxy = ProxyRules(environment).proxy_for(Url::parse(url).value());
  if (!proxy) return "error";
  return *proxy ? (*proxy)->address : "direct";
}

bool bypassed(const std::string& url, const std::string& no_proxy) {
  return proxy_of(url, Environment{{"all_proxy", "http://p:1"}, {"no_proxy", no_proxy}}) == "direct";
}

TEST(ProxyRules, TheSchemeOfTheUrlChooses) {
  const Environment environment{{"http_proxy", "http://h:1"}, {"https_proxy", "http://s:2"}};
  EXPECT_EQ(proxy_of("http://example.org/", environment), "http://h:1");
  EXPECT_EQ(proxy_of("https://example.org/", environment), "http://s:2");
}

TEST(ProxyRules, AllProxyStandsInForBoth) {
  const Environment environment{{"ALL_PROXY", "socks5h://all"}, {"HTTPS_PROXY", "s:2"}};
  EXPECT_EQ(proxy_of("http://example.org/", environment), "socks5h://all:1080");
  EXPECT_EQ(proxy_of("https://example.org/", environment), "http://s:2");
}

TEST(ProxyRules, LowerCaseComesFirstAndEmptyIsUnset) {
  EXPECT_EQ(proxy_of("http://example.org/", Environment{{"http_proxy", "low:1"}, {"HTTP_PROXY", "up:1"}}),
            "http://low:1");
  EXPECT_EQ(proxy_of("http://example.org/", Environment{{"http_proxy", ""}, {"HTTP_PROXY", "up:1"}}),
            "http://up:1");
  EXPECT_EQ(proxy_of("http://example.org/", Environment{}), "direct");
}

TEST(ProxyRules, AWebServersRequestHeaderIsNoProxy) {
  const Environment environment{{"HTTP_PROXY", "evil:1"}, {"REQUEST_METHOD", "GET"}};
  EXPECT_EQ(proxy_of("http://example.org/", environment), "direct");
}

TEST(ProxyRules, UserInformationIsKeptApart) {
  const Environment environment{{"http_proxy", "http://me:p%40ss@proxy.example.org/"}};
  const auto proxy =
      ProxyRules(environment).proxy_for(Url::parse("http://example.org/").value()).value().value();
  EXPECT_EQ(proxy.address, "http://proxy.example.org:80");
  EXPECT_EQ(proxy.user_info.reveal(), "me:p@ss");
}

TEST(ProxyRules, AnIpv6ProxyKeepsItsBrackets) {
  EXPECT_EQ(proxy_of("http://example.org/", Environment{{"http_proxy", "http://[::1]:3128"}}),
            "http://[::1]:3128");
}

TEST(ProxyRules, AnUnusableValueIsNamedButNotShown) {
  const ProxyRules rules(Environment{{"HTTPS_PROXY", "ftp://me:s3cret@proxy"}});
  const auto proxy = rules.proxy_for(Url::parse("https://example.org/").value());
  ASSERT_FALSE(proxy);
  EXPECT_THAT(proxy.error().detail(), ::testing::HasSubstr("HTTPS_PROXY"));
  EXPECT_THAT(proxy.error().detail(), ::testing::Not(::testing::HasSubstr("s3cret")));
}

TEST(NoProxy, HostsAndTheirSubdomains) {
  for (const char* entry :
       {"example.org", ".example.org", "*.example.org", "a.test, EXAMPLE.ORG ,b.test", "a b example.org"}) {
    EXPECT_TRUE(bypassed("https://example.org/", entry)) << entry;
    EXPECT_TRUE(bypassed("https://registry.example.org/", entry)) << entry;
    EXPECT_FALSE(bypassed("https://badexample.org/", entry)) << entry;
    EXPECT_FALSE(bypassed("https://example.org.evil.test/", entry)) << entry;
  }
}

TEST(NoProxy, Everything) {
  EXPECT_TRUE(bypassed("https://example.org/", "*"));
}

TEST(NoProxy, NothingByEmptyEntries) {
  for (const char* entry : {"", ",", " , ", ".", "*."})
    EXPECT_FALSE(bypassed("https://example.org/", entry)) << entry;
}

TEST(NoProxy, APortCountsWhenGiven) {
  EXPECT_TRUE(bypassed("https://example.org/", "example.org:443"));
  EXPECT_FALSE(bypassed("https://example.org:8443/", "example.org:443"));
  EXPECT_TRUE(bypassed("http://[::1]:8080/", "[::1]:8080"));
  EXPECT_FALSE(bypassed("http://[::1]:8081/", "[::1]:8080"));
}

TEST(NoProxy, AddressesAndRanges) {
  EXPECT_TRUE(bypassed("http://10.1.2.3/", "10.0.0.0/8"));
  EXPECT_FALSE(bypassed("http://11.1.2.3/", "10.0.0.0/8"));
  EXPECT_TRUE(bypassed("http://192.168.1.130/", "192.168.1.128/25"));
  EXPECT_FALSE(bypassed("http://192.168.1.127/", "192.168.1.128/25"));
  EXPECT_TRUE(bypassed("http://[fd00::1]/", "fd00::/8"));
  EXPECT_TRUE(bypassed("http://[0:0::1]/", "::1"));
  EXPECT_TRUE(bypassed("http://127.0.0.1:99/", "127.0.0.1"));
}

TEST(NoProxy, ANameIsNeverInARange) {
  EXPECT_FALSE(bypassed("http://example.org/", "0.0.0.0/0"));
  EXPECT_FALSE(bypassed("http://10.0.0.1.example.org/", "10.0.0.0/8"));
  EXPECT_FALSE(bypassed("http://10.0.0.1/", "10.0.0.0/99"));
  EXPECT_FALSE(bypassed("http://10.0.0.1/", "10.0.0.0/x"));
}

TEST(Explain, TheVariableAndTheEntryThatMatched) {
  const ProxyRules rules(Environment{{"HTTPS_PROXY", "http://user:secret@proxy.example.org:3128"},
                                     {"no_proxy", "localhost,10.0.0.0/8"}});
  const auto direct = rules.explain(Url::parse("https://10.1.2.3/").value());
  EXPECT_FALSE(direct->proxy);
  EXPECT_EQ(direct->variable, "HTTPS_PROXY");
  EXPECT_EQ(direct->exception, "10.0.0.0/8");
  const auto proxied = rules.explain(Url::parse("https://example.org/").value());
  EXPECT_EQ(proxied->proxy->address, "http://proxy.example.org:3128");
  EXPECT_EQ(proxied->exception, "");
  EXPECT_EQ(rules.explain(Url::parse("http://example.org/").value())->variable, "");
}

}  // namespace
}  // namespace curupira
