#include "base/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Url url(std::string_view text) {
  return Url::parse(text).value();
}

TEST(Url, ReadsAllParts) {
  const Url read = url("HTTPS://user:pass@Packages.Example.ORG:8443/a/b.tgz?x=1&y#sha256=00");
  EXPECT_EQ(read.scheme(), "https");
  EXPECT_EQ(read.host(), "packages.example.org");
  EXPECT_EQ(read.port(), 8443);
  EXPECT_EQ(read.path(), "/a/b.tgz");
  EXPECT_EQ(read.query(), "x=1&y");
  EXPECT_EQ(read.fragment(), "sha256=00");
  EXPECT_EQ(read.user_info().reveal(), "user:pass");
}

TEST(Url, HasTheDefaultPortOfItsScheme) {
  EXPECT_EQ(url("https://example.org").port(), 443);
  EXPECT_EQ(url("http://example.org").port(), 80);
  EXPECT_EQ(url("https://example.org:/x").port(), 443);
  EXPECT_EQ(url("file:///x").port(), 0);
}

TEST(Url, EmptyPathIsTheRoot) {
  EXPECT_EQ(url("https://example.org?q").to_string(), "https://example.org/?q");
}

TEST(Url, TextHasNoUserInformationAndNoFragment) {
  EXPECT_EQ(url("https://user:pass@example.org/a?b#c").to_string(), "https://example.org/a?b");
}

TEST(Url, UserInformationIsUnescaped) {
  EXPECT_EQ(url("https://user:p%40ss%2F@example.org/").user_info().reveal(), "user:p@ss/");
}

TEST(Url, AtInThePathIsNoUserInformation) {
  const Url read = url("https://example.org/@acme/x");
  EXPECT_TRUE(read.user_info().empty());
  EXPECT_EQ(read.path(), "/@acme/x");
}

TEST(Url, OriginHasThePortOnlyWhenItIsNotTheDefault) {
  EXPECT_EQ(url("https://user@example.org:443/a").origin(), "https://example.org");
  EXPECT_EQ(url("http://example.org:8080/a").origin(), "http://example.org:8080");
}

TEST(Url, OtherSchemeHostOrPortIsAnotherOrigin) {
  const Url base = url("https://example.org/a");
  EXPECT_TRUE(base.same_origin(url("https://EXAMPLE.org:443/b")));
  EXPECT_FALSE(base.same_origin(url("http://example.org/a")));
  EXPECT_FALSE(base.same_origin(url("https://example.org:444/a")));
  EXPECT_FALSE(base.same_origin(url("https://sub.example.org/a")));
}

TEST(Url, Ipv6HostHasNoBracketsButItsTextHas) {
  const Url read = url("http://[2001:DB8::1]:8080/a");
  EXPECT_EQ(read.host(), "2001:db8::1");
  EXPECT_EQ(read.to_string(), "http://[2001:db8::1]:8080/a");
}

TEST(Url, FileUrlHasAPathOnly) {
  EXPECT_EQ(url("file:///srv/registry").path(), "/srv/registry");
  EXPECT_EQ(url("file://localhost/srv").to_string(), "file:///srv");
  EXPECT_EQ(url("file:///srv").origin(), "file://");
}

TEST(Url, FileNameIsTheLastSegmentUnescaped) {
  EXPECT_EQ(url("https://example.org/a/x%2B1.tgz?download=1").file_name(), "x+1.tgz");
  EXPECT_EQ(url("https://example.org/a/").file_name(), "");
}

TEST(Url, PathIsNormalisedSoThatPrefixesCanBeCompared) {
  EXPECT_EQ(url("https://example.org/private/../other/./x").path(), "/other/x");
  EXPECT_EQ(url("https://example.org/private/%2e%2E/other").path(), "/other");
  EXPECT_EQ(url("https://example.org/private/.%2e/").path(), "/");
  EXPECT_EQ(url("https://example.org/../../x").path(), "/x");
  EXPECT_EQ(url("https://example.org/a/..").path(), "/");
  EXPECT_EQ(url("https://example.org/a/b/.").path(), "/a/b/");
  EXPECT_EQ(url("https://example.org/a//b").path(), "/a//b");
}

TEST(Url, EscapedSlashStaysEscaped) {
  EXPECT_EQ(url("https://example.org/@acme%2fx").path(), "/@acme%2fx");
}

struct Refused {
  std::string_view text;
  std::string_view reason;
};

class RefusedUrl : public testing::TestWithParam<Refused> {};

TEST_P(RefusedUrl, SaysWhy) {
  const auto read = Url::parse(GetParam().text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::url_invalid);
  EXPECT_THAT(read.error().detail(), StartsWith(std::string(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Url, RefusedUrl,
    testing::Values(
        Refused{"", "the URL is not absolute"}, Refused{"/a/b", "the URL is not absolute"},
        Refused{"example.org", "the URL is not absolute"},
        Refused{"ftp://example.org/", "the URL has another scheme"},
        Refused{"javascript:alert(1)", "the URL has another scheme"},
        Refused{"https:example.org", "the URL has no //"}, Refused{"https:///x", "the URL has no host"},
        Refused{"https://:443/x", "the URL has no host"}, Refused{"https://user@/x", "the URL has no host"},
        Refused{"https://example.org/a b", "the URL contains a space"},
        Refused{"https://example.org/\r\nHost: x", "the URL contains a space or a control"},
        Refused{std::string_view("https://example.org/\0", 21), "the URL contains a space or a control"},
        Refused{"https://example.org\\@evil.example.net/", "the URL contains a backslash"},
        Refused{"https://exämple.org/", "the URL contains a character that has to be"},
        Refused{"https://example.org/%", "the URL has a % without"},
        Refused{"https://example.org/%0", "the URL has a % without"},
        Refused{"https://example.org/%zz", "the URL has a % without"},
        Refused{"https://exam%70le.org/", "the URL has a bad host name"},
        Refused{"https://a..b/", "the URL has a bad host name"},
        Refused{"https://a,b/", "the URL has a bad host name"},
        Refused{"https://a@b@example.org/", "the URL has more than one @"},
        Refused{"https://example.org:0/", "the URL has a bad port"},
        Refused{"https://example.org:65536/", "the URL has a bad port"},
        Refused{"https://example.org:8x/", "the URL has a bad port"},
        Refused{"https://example.org:-1/", "the URL has a bad port"},
        Refused{"https://example.org:1:2/", "the URL has a bad port"},
        Refused{"https://[::1/", "the URL has [ without ]"},
        Refused{"https://[::zz]/", "the URL has a bad IPv6 address"},
        Refused{"https://[::1]x/", "the URL has text after its host"},
        Refused{"file://server/share", "a file URL has a path only"},
        Refused{"file://", "the file URL has no path"}));

// npm/cli#7819: a malformed token is printed in the error.
TEST(Url, ErrorsNeverShowAPassword) {
  for (const std::string_view text :
       {"https://user:hunter2@example.org:bad/", "https://user:hunter2@example.org/a b",
        "ftp://user:hunter2@example.org", "user:hunter2@example.org", "https://user:hunter2/x@example.org/",
        "https://user:hunter2%@example.org/"}) {
    const auto read = Url::parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().detail(), Not(HasSubstr("hunter2"))) << text;
  }
}

TEST(Url, ErrorsShowAScopeInThePath) {
  EXPECT_EQ(Url::parse("https://example.org:8080/@acme/a b").error().detail(),
            "the URL contains a space or a control character: \"https://example.org:8080/@acme/a b\"");
}

TEST(Url, ErrorsEscapeControlCharacters) {
  EXPECT_THAT(Url::parse("https://example.org/\x1b[2J").error().detail(), HasSubstr("\\x1b[2J"));
}

TEST(UrlResolve, ExamplesOfTheStandard) {
  // RFC 3986 §5.4, those that give http.
  const Url base = url("http://a/b/c/d;p?q");
  const std::pair<std::string_view, std::string_view> examples[] = {
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../../g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
  };
  for (const auto& [reference, expected] : examples) {
    const auto resolved = base.resolve(reference);
    ASSERT_TRUE(resolved) << reference;
    EXPECT_EQ(resolved->to_string(), expected) << reference;
  }
}

TEST(UrlResolve, FragmentIsThatOfTheReference) {
  const Url base = url("https://example.org/simple/x/#top");
  EXPECT_EQ(base.resolve("../../x.whl#sha256=00").value().fragment(), "sha256=00");
  EXPECT_EQ(base.resolve("#end").value().fragment(), "end");
  EXPECT_EQ(base.resolve("").value().fragment(), "");
}

TEST(UrlResolve, UserInformationStaysWithItsOrigin) {
  const Url base = url("https://user:pass@example.org/a/");
  EXPECT_EQ(base.resolve("b").value().user_info().reveal(), "user:pass");
  EXPECT_TRUE(base.resolve("//other.example.org/b").value().user_info().empty());
  EXPECT_TRUE(base.resolve("https://other.example.org/b").value().user_info().empty());
}

TEST(UrlResolve, OtherSchemesAreRefused) {
  EXPECT_FALSE(url("https://example.org/").resolve("data:text/plain,x"));
}

TEST(UrlResolve, BadCharactersAreRefused) {
  EXPECT_FALSE(url("https://example.org/").resolve("a b"));
}

TEST(Url, WithoutFragmentKeepsTheRest) {
  const Url read = url("https://user:pass@example.org/a?b#c").without_fragment();
  EXPECT_EQ(read.fragment(), "");
  EXPECT_EQ(read.user_info().reveal(), "user:pass");
  EXPECT_EQ(read.query(), "b");
}

TEST(Percent, EncodesAllButUnreserved) {
  EXPECT_EQ(percent_encode("@acme/x y~-._ä"), "%40acme%2Fx%20y~-._%C3%A4");
}

TEST(Percent, DecodesEitherCase) {
  EXPECT_EQ(percent_decode("%2f%2Fa%00").value(), std::string("//a\0", 4));
}

TEST(Percent, RefusesIncompleteEscapes) {
  for (const std::string_view text : {"%", "a%2", "%g0", "%0g"}) {
    const auto decoded = percent_decode(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_EQ(decoded.error().code(), ErrorCode::url_invalid);
  }
}

}  // namespace
}  // namespace curupira
