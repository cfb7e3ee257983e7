#include "registry/simple_index.h"

#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

const std::string hex_a(64, 'a');
const Url page = Url::parse("https://index.example.org/simple/x/").value();

std::vector<IndexFile> read(const std::string& text) {
  const auto files = read_simple_page(text, page);
  EXPECT_TRUE(files) << files.error().summary();
  return files ? *files : std::vector<IndexFile>();
}

TEST(SimplePage, Json) {
  const auto files = read(R"({"meta": {"api-version": "1.1"}, "name": "x", "files": [
    {"filename": "x-1.0.tar.gz", "url": "../../files/x-1.0.tar.gz", "hashes": {"sha256": ")" +
                          hex_a + R"("},
     "size": 12, "yanked": "broken"},
    {"filename": "x-1.0-py3-none-any.whl", "url": "https://files.example.org/x-1.0-py3-none-any.whl",
     "hashes": {"md5": "00"}, "yanked": false},
    {"filename": "../x", "url": "a", "hashes": {}}]})");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].url.to_string(), "https://index.example.org/files/x-1.0.tar.gz");
  EXPECT_EQ(files[0].digest(DigestAlgorithm::sha256)->hex(), hex_a);
  EXPECT_EQ(files[0].size, 12U);
  EXPECT_EQ(files[0].yanked, "broken");
  EXPECT_TRUE(files[1].digests.empty()) << "md5 vouches for nothing";
  EXPECT_FALSE(files[1].yanked);
}

TEST(SimplePage, Html) {
  const auto files = read(
      "<!DOCTYPE html><html><head><meta name=a content='b'><base href=\"/w/\"></head><body>\n"
      "<!-- <a href=\"hidden-1.whl\">hidden</a> -->\n"
      "<A data-yanked=\"\" HREF='x-1.0%2Bcpu-py3-none-any.whl#sha256=" +
      hex_a +
      "'>x</A><br/>\n<a href=x-1.0.tar.gz>y</a> <a href=\"file:///etc/x-1.whl\">z</a>"
      "<a href=\"https://o.example.org/x-2.0.tar.gz?a=1&amp;b=2#md5=00\" data-x>w</a></body>");
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].name, "x-1.0+cpu-py3-none-any.whl");
  EXPECT_EQ(files[0].url.to_string(), "https://index.example.org/w/x-1.0%2Bcpu-py3-none-any.whl");
  EXPECT_EQ(files[0].digests.size(), 1U);
  EXPECT_EQ(files[0].yanked, "");
  EXPECT_EQ(files[1].name, "x-1.0.tar.gz");
  EXPECT_EQ(files[2].url.query(), "a=1&b=2");
  EXPECT_TRUE(files[2].digests.empty());
}

TEST(SimplePage, WhatIsNoPageIsRefused) {
  for (const char* text :
       {"", "{", "{\"files\": 1}", "{\"files\": [1]}", "{\"files\": [{}]}", "plain text", "\xff<html>"}) {
    const auto files = read_simple_page(text, page);
    ASSERT_FALSE(files) << text;
    EXPECT_EQ(files.error().code(), ErrorCode::registry_unreadable) << text;
  }
  const auto digest = read_simple_page(
      R"({"files": [{"filename": "x-1.0.tar.gz", "url": "a", "hashes": {"sha256": "00"}}]})", page);
  ASSERT_FALSE(digest) << "a digest of another length";
}

class PythonFiles : public test::RegistryTest {
 protected:
  Result<std::vector<std::vector<IndexFile>>> list(const std::vector<std::string>& packages) {
    IndexPlaces places;
    for (const char* index : {"https://private.example.org/simple", "https://public.example.org/simple/"})
      places.indexes.push_back(Url::parse(index).value());
    return list_python_files(&http, places, packages);
  }
  static std::string page_with(const std::string& file) { return "<html><a href=\"" + file + "\">f</a>"; }
};

TEST_F(PythonFiles, TheFirstIndexThatHasAPackageAnswersForIt) {
  http.answer("https://private.example.org/simple/a/", page_with("a-1.tar.gz"));
  http.answer("https://public.example.org/simple/a/", page_with("a-9.tar.gz"));
  http.answer("https://public.example.org/simple/b/", page_with("b-2.tar.gz"));
  const auto lists = list({"a", "b"});
  ASSERT_TRUE(lists) << lists.error().summary();
  EXPECT_EQ((*lists)[0][0].name, "a-1.tar.gz");
  EXPECT_EQ((*lists)[1][0].name, "b-2.tar.gz");
  EXPECT_EQ(http.batches, (std::vector<std::size_t>{2, 1}));
  EXPECT_NE(http.requests[0].accept.find("application/vnd.pypi.simple.v1+json"), std::string::npos);
}

// Dependency confusion: what a private index refuses is not looked for in a public one.
TEST_F(PythonFiles, ARefusalGoesToNoOtherIndex) {
  http.answer("https://public.example.org/simple/a/", page_with("a-9.tar.gz"));
  for (const int status : {401, 403, 500}) {
    http.refuse("https://private.example.org/simple/a/", status);
    EXPECT_FALSE(list({"a"})) << status;
  }
  for (const auto& request : http.requests)
    EXPECT_TRUE(request.url.starts_with("https://private.")) << request.url;
}

TEST_F(PythonFiles, NowhereAndOffline) {
  EXPECT_EQ(list({"a"}).error().code(), ErrorCode::package_not_found);
  EXPECT_EQ(list_python_files(nullptr, {}, std::vector<std::string>{"a"}).error().code(),
            ErrorCode::offline_missing);
}

}  // namespace
}  // namespace curupira::registry
