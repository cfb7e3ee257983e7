// What a mirror writes: names that stay in the folder, and text of others that is only text.

#include "registry/mirror_index.h"
#include "registry/npm_mirror.h"
#include "registry/python_mirror.h"

namespace curupira::registry {
namespace {

const Digest some_digest = digest_of(DigestAlgorithm::sha256, "some");

TEST(MirrorPaths, OfNpmPackagesStayBelowNpm) {
  EXPECT_EQ(npm_page_path("hello").value(), "npm/hello/index.html");
  EXPECT_EQ(npm_page_path("@acme/x").value(), "npm/@acme/x/index.html");
  EXPECT_EQ(npm_tarball_path("@acme/x", "1.0.0-rc.1+b").value(), "npm/@acme/x/-/x-1.0.0-rc.1+b.tgz");
  EXPECT_EQ(npm_page_path("JSONStream").value(), "npm/JSONStream/index.html");
  for (const char* const name : {"", "..", "../x", ".x", "@/x", "@acme", "@acme/", "@acme/../x", "@../x",
                                 "a/b", "a b", "a\\b", "a%2fb", "x\n", "node_modules", "<b>"}) {
    const auto path = npm_page_path(name);
    ASSERT_FALSE(path) << name;
    EXPECT_EQ(path.error().code(), ErrorCode::resolution_unsafe);
  }
  for (const char* const version : {"", "..", "1.0", "1.0.0/..", "v1.0.0", "latest"})
    EXPECT_FALSE(npm_tarball_path("x", version)) << version;
}

TEST(MirrorPaths, OfWheelsStayBelowTheirPackage) {
  EXPECT_EQ(python_wheel_path("acme-x", "acme_x-1.0-py3-none-any.whl").value(),
            "simple/acme-x/acme_x-1.0-py3-none-any.whl");
  for (const char* const name : {"other-1.0-py3-none-any.whl", "../acme_x-1.0-py3-none-any.whl",
                                 "acme_x-1.0.tar.gz", "index.html", "acme_x-1.0-py3-none-<b>.whl"})
    EXPECT_FALSE(python_wheel_path("acme-x", name)) << name;
  for (const char* const package : {"", "..", "Acme", "a_b", "a/b"})
    EXPECT_FALSE(python_folder(package)) << package;
}

TEST(MirrorPages, ReasonsAreEscaped) {
  const MirroredWheel wheel{.file_name = "x-1.0-py3-none-any.whl",
                            .sha256 = some_digest,
                            .size = 3,
                            .requires_python = ">=3.9,<4",
                            .metadata = some_digest,
                            .yanked = "leaks <b>\"tokens\"</b> & 'more'\x1b[31m"};
  const std::string html = write_simple_html("x", std::span(&wheel, 1));
  EXPECT_NE(
      html.find("data-yanked=\"leaks &lt;b&gt;&quot;tokens&quot;&lt;/b&gt; &amp; &#39;more&#39;\\x1b[31m\""),
      std::string::npos)
      << html;
  EXPECT_NE(html.find("data-requires-python=\"&gt;=3.9,&lt;4\""), std::string::npos) << html;
  EXPECT_NE(html.find("href=\"x-1.0-py3-none-any.whl#sha256=" + some_digest.hex() + "\""), std::string::npos);
  const std::string json = write_simple_json("x", std::span(&wheel, 1));
  EXPECT_EQ(json.find('<'), std::string::npos);
}

TEST(MirrorPages, WhatWasWrittenIsRead) {
  const std::vector<MirroredWheel> wheels = {
      {.file_name = "x-1.0-py3-none-any.whl", .sha256 = some_digest, .size = 3, .yanked = ""},
      {.file_name = "x-2.0-py3-none-any.whl", .sha256 = some_digest, .size = 4, .requires_python = ">=3.9"}};
  EXPECT_EQ(read_mirrored_wheels(write_simple_json("x", wheels)).value(), wheels);
  EXPECT_FALSE(read_mirrored_wheels("{}"));
  EXPECT_FALSE(read_mirrored_wheels("{\"files\":[{\"filename\":\"x\"}]}"));
}

TEST(MirrorPages, TwoKeysOfOneIdAreRefused) {
  const NpmKey key{.id = "SHA256:a", .scheme = "ecdsa-sha2-nistp256", .key = "AAAA", .expires = {}};
  const std::string text = mirrored_npm_keys({}, std::span(&key, 1)).value();
  EXPECT_EQ(mirrored_npm_keys(text, std::span(&key, 1)).value(), text);
  NpmKey other = key;
  other.key = "BBBB";
  EXPECT_FALSE(mirrored_npm_keys(text, std::span(&other, 1)));
}

TEST(MirrorIndex, WhatWasWrittenIsRead) {
  MirrorIndex index{.url = "https://mirror.example.org/"};
  index.files.emplace("npm/x/-/x-1.0.0.tgz", MirrorFile{.kind = MirrorFile::Kind::tarball,
                                                        .path = "npm/x/-/x-1.0.0.tgz",
                                                        .package = "x",
                                                        .version = "1.0.0",
                                                        .integrity = "sha512-AAAA",
                                                        .registry_signed = true,
                                                        .sha256 = some_digest,
                                                        .size = 3});
  index.wishes.emplace("npm:x", MirrorWish{.reference = "npm:x",
                                           .platforms = {manifest::Platform::parse("linux-x86_64").value()},
                                           .version = "1.0.0"});
  EXPECT_EQ(parse_mirror_index(write_mirror_index(index)).value(), index);
}

TEST(MirrorIndex, FilesOutsideAreRefused) {
  const auto index = [](const std::string& path) {
    return parse_mirror_index("{\"format\":1,\"wishes\":[],\"files\":[{\"kind\":\"page\",\"path\":\"" + path +
                              "\",\"sha256\":\"" + some_digest.hex() + "\",\"size\":1}]}");
  };
  EXPECT_TRUE(index("npm/x/index.html"));
  for (const char* const path :
       {"npm/../metadata/timestamp.json", "/etc/passwd", "metadata/x", "npm", "npm/./x", ""}) {
    const auto read = index(path);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error().code(), ErrorCode::registry_damaged);
  }
  EXPECT_FALSE(parse_mirror_index("{\"format\":2,\"wishes\":[],\"files\":[]}"));
  EXPECT_FALSE(parse_mirror_index("{\"format\":1,\"files\":[]}"));
}

}  // namespace
}  // namespace curupira::registry
