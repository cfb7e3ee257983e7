#include "registry/package_index.h"

#include "registry/package_brief.h"
#include "registry/search_index.h"

namespace curupira::registry {
namespace {

using namespace std::string_literals;

const PackageName name = PackageName::parse("@acme/tickets").value();
const std::string digest(64, 'a');

PackageIndex example() {
  const auto sha256 = Digest::from_hex(DigestAlgorithm::sha256, digest).value();
  const auto published = std::chrono::sys_seconds(std::chrono::sys_days(std::chrono::year(2030) / 1 / 1));
  const auto linux_platform = manifest::Platform::parse("linux-x86_64").value();
  PackageVersion first{.manifest = "name = \"tickets\"\ntrigger_types = [\"ä\"]\n",
                       .published = published,
                       .artifacts = {{.file = "t-1.0.0.tar.gz", .sha256 = sha256, .size = 3}}};
  PackageVersion second = first;
  second.yanked = "loses tickets";
  second.artifacts.push_back({.file = "t-linux", .sha256 = sha256, .size = 4, .platforms = {linux_platform}});
  return {.name = name, .versions = {{"1.0.0", first}, {"1.1.0", second}}};
}

/// The example's text with one thing changed in it.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = write_package_index(example());
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(PackageIndex, WritesWhatItReads) {
  const std::string text = write_package_index(example());
  const auto read = parse_package_index(text, name);
  ASSERT_TRUE(read) << read.error().summary();
  EXPECT_EQ(*read, example());
  EXPECT_EQ(write_package_index(*read), text);
}

TEST(PackageIndex, MembersAreSortedWithoutBlanks) {
  EXPECT_TRUE(write_package_index(example()).starts_with(
      R"({"format":1,"name":"@acme/tickets","versions":{"1.0.0":{"artifacts":[{"file":)"));
}

TEST(PackageIndex, TheLatestIsTheHighestThatCounts) {
  PackageIndex index = example();
  EXPECT_EQ(index.latest(), "1.0.0") << "1.1.0 was taken back";
  index.versions["2.0.0-rc.1"] = index.versions["1.0.0"];
  EXPECT_EQ(index.latest(), "1.0.0") << "releases come before pre-releases";
  index.versions["1.0.10"] = index.versions["1.0.0"];
  index.versions["1.0.9"] = index.versions["1.0.0"];
  EXPECT_EQ(index.latest(), "1.0.10");
  for (auto& [text, version] : index.versions)
    if (text.find('-') == std::string::npos) version.yanked = "x";
  EXPECT_EQ(index.latest(), "2.0.0-rc.1");
}

struct Hostile {
  const char* what;
  std::string from;
  std::string to;
};

class HostilePackageIndex : public testing::TestWithParam<Hostile> {};

TEST_P(HostilePackageIndex, IsRefused) {
  const auto read = parse_package_index(changed(GetParam().from, GetParam().to), name);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::package_index_invalid) << read.error().summary();
  EXPECT_FALSE(read.error().detail().empty());
}

INSTANTIATE_TEST_SUITE_P(
    , HostilePackageIndex,
    testing::Values(Hostile{"no JSON", "{", "["}, Hostile{"something behind it", "}}}}", "}}}} x"},
                    Hostile{"a newer format", R"("format":1)", R"("format":2)"},
                    Hostile{"a format that is no number", R"("format":1)", R"("format":"1")"},
                    Hostile{"a number with a point", R"("format":1)", R"("format":1.0)"},
                    Hostile{"another package", "@acme/tickets", "@acme/mails"},
                    Hostile{"a name twice", R"("format":1)", R"("format":1,"format":1)"},
                    Hostile{"a member that is not known", R"("format":1)", R"("format":1,"more":1)"},
                    Hostile{"an unknown member of a version", R"("manifest")", R"("more":1,"manifest")"},
                    Hostile{"an unknown member of an artifact", R"("size")", R"("url":"x","size")"},
                    Hostile{"a version that is none", R"("1.0.0":)", R"("1.0":)"},
                    Hostile{"a version with a v", R"("1.0.0":)", R"("v1.0.0":)"},
                    Hostile{"a version twice in other words", R"("1.0.0":)", R"("1.1.0+build":)"},
                    Hostile{"a file in another folder", "t-1.0.0.tar.gz", "../t-1.0.0.tar.gz"},
                    Hostile{"an absolute file", "t-1.0.0.tar.gz", "/t-1.0.0.tar.gz"},
                    Hostile{"a file with a folder", "t-1.0.0.tar.gz", "t/1.0.0.tar.gz"},
                    Hostile{"a file with a backslash", "t-1.0.0.tar.gz", R"(t\\1.0.0.tar.gz)"},
                    Hostile{"a file that is no archive", "t-1.0.0.tar.gz", "t-1.0.0.exe"},
                    Hostile{"a short digest", digest, digest.substr(1)},
                    Hostile{"a digest in capitals", digest, std::string(64, 'A')},
                    Hostile{"a negative size", R"("size":3)", R"("size":-3)"},
                    Hostile{"a size beyond all", R"("size":3)", R"("size":99999999999999999999)"},
                    Hostile{
                        "no artifact",
                        R"("artifacts":[{"file":"t-1.0.0.tar.gz","sha256":")" + digest + R"(","size":3}])",
                        R"("artifacts":[])"},
                    Hostile{"platforms of the extension itself", R"("t-1.0.0.tar.gz",)",
                            R"("t-1.0.0.tar.gz","platforms":["linux-x86_64"],)"},
                    Hostile{"no platforms of another file", R"("platforms":["linux-x86_64"],)", ""},
                    Hostile{"an empty list of platforms", R"(["linux-x86_64"])", "[]"},
                    Hostile{"a platform twice", R"(["linux-x86_64"])", R"(["linux-x86_64","linux-x86_64"])"},
                    Hostile{"a platform that is none", "linux-x86_64", "linux x86"},
                    Hostile{"another form of time", "2030-01-01T00:00:00Z", "2030-01-01T00:00:00+00:00"},
                    Hostile{"a yank without a reason", R"({"reason":"loses tickets"})", "{}"},
                    Hostile{"a reason without end", "loses tickets", std::string(2000, 'x')},
                    Hostile{"a manifest without end", R"(name = \"tickets\")", std::string(300'000, 'x')}));

TEST(PackageName, IsOneSegmentOrTwo) {
  for (const auto& good : {"a", "a.b-c_d", "0", "@acme/x", "@a.b/c.d"})
    EXPECT_TRUE(PackageName::parse(good)) << good;
  for (const auto& bad : {"", "A", "a/b", "@acme", "@acme/", "@/x", "@acme/x/y", "..", ".a", "-a", "a b", "ä",
                          "@acme/..", "@../x", "a\\b", "a%2fb"})
    EXPECT_FALSE(PackageName::parse(bad)) << bad;
  EXPECT_FALSE(PackageName::parse(std::string(65, 'a')));
  EXPECT_FALSE(PackageName::parse("a\0b"s));
}

TEST(PackageName, IsTheOneOfItsTarget) {
  EXPECT_EQ(PackageName::of_target(name.target()).value(), name);
  for (const auto& bad :
       {"packages/.json", "packages/x", "x.json", "packages/../x.json", "search/index.json", ""})
    EXPECT_FALSE(PackageName::of_target(bad)) << bad;
}

TEST(PackageBrief, GoesThroughTheMetadata) {
  const PackageBrief brief = brief_of(example(), "Tickets");
  EXPECT_EQ(brief.latest, "1.0.0");
  EXPECT_EQ(brief.yanked, std::vector<std::string>{"1.1.0"});
  EXPECT_EQ(read_custom(custom_of(brief), "a test").value(), brief);
  EXPECT_FALSE(read_custom(std::nullopt, "a test"));
  EXPECT_FALSE(read_custom(json::Object(), "a test"));
}

TEST(SearchIndex, WritesWhatItReads) {
  const SearchIndex index{.roles = {{"bins-0", 3}, {"acme", 1}},
                          .packages = {{.name = name, .brief = brief_of(example(), "x"), .role = "acme"}}};
  const std::string text = write_search_index(index);
  EXPECT_EQ(parse_search_index(text).value(), index);
}

TEST(SearchIndex, IsRefusedWhenItIsNotOne) {
  for (
      const std::string text :
      {"", "[]", "{}", R"({"format":2,"packages":[],"roles":{}})", R"({"format":1,"packages":{},"roles":{}})",
       R"({"format":1,"packages":[],"roles":{"x":0}})", R"({"format":1,"packages":[1],"roles":{}})",
       R"({"format":1,"packages":[{"name":"../x","role":"r","summary":""}],"roles":{}})",
       R"({"format":1,"packages":[{"name":"b","role":"r","summary":""},{"name":"a","role":"r","summary":""}],"roles":{}})"}) {
    const auto read = parse_search_index(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code(), ErrorCode::search_index_invalid) << text;
  }
}

}  // namespace
}  // namespace curupira::registry
