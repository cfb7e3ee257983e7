#include "installer/unpack.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "installer/archive_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/archive_bytes.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::TemporaryFolder;
using curupira::test::text_of;

/// An executable file d/f that begins with "hello\n", packed by other programs.
const std::map<std::string, std::string> packed_by_others{
    {"tar.xz",
     "fd377a585a000004e6d6b446020021011c00000010cf58cce027ff00675d00320bbc1ba78c3444e1c20775e8fc"
     "e3c092652fb726677665be2d44a689391e96b5aad0d784bb23434f2baa075421c0281686fbd66ac57bea1bf1fb"
     "a42c70792946d83a337e00fb83f29dfe51f69be89a631f12d6880186ef4c8a18dcf45b6b433ca2698336040000"
     "004eaba4cb25441e4600018301805000009003f4e7b1c467fb020000000004595a"},
    {"tar.zst",
     "28b52ffd640027550200b2020a10b0ebe40949f961414931b150670fb914064ba993f2de1504a1f1cf8a6bcfd6"
     "3b472069d54da3090b20502fb03bf6036fc0a865e40206a4067d8aff9fee28e0018306984fd00d3f48bc30"},
    {"tar.bz2",
     "425a6839314159265359c0e89970000087fb80c99000104000fb80000367449e000408200075094a7a46400313"
     "4326824a43233500001a4f78decc3d20255a48462f81106c5c5440421c075448ec52431ed11121168830c483b4"
     "351ed15c46c0a1d567259d0a15264c6120fc5dc914e1424303a265c0"},
    {"tar.gz",
     "1f8b0800000000000203edd1310e82401445d15fbb8ad901a36698f598a0b1203111d83fc492d862249cd3bcd7"
     "dfae89cde5452de5b38bf57ef9edf99a2395f88169186fef94e2a0bae6f107fddb75ff4bad91b2fe9b7bdefbfe"
     "750a00000000000000006087666fda351500280000"},
    {"zip",
     "504b030414000000080000002100ddd24c960e0000005802000003000000642f66cb48cdc9c9e7ca18254749aa"
     "9200504b0102140314000000080000002100ddd24c960e00000058020000030000000000000000000000ed8100"
     "000000642f66504b05060000000001000100310000002f0000000000"},
};

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

class Unpack : public ::testing::Test {
 protected:
  Result<TreeListing> unpack(const std::string& bytes, const UnpackRules& rules = {},
                             const ArchiveLimits& limits = {}) {
    const auto file = folder_.write("archive", bytes);
    fs::create_directories(folder_ / "tree");
    return unpack_file(file, rules, limits, folder_ / "tree");
  }
  ErrorCode refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
    const auto listing = unpack(bytes, {}, limits);
    if (!listing) detail_ = listing.error().detail();
    return listing ? ErrorCode::internal : listing.error().code();
  }
  unsigned mode_of(std::string_view name) const {
    struct stat status {};
    EXPECT_EQ(::lstat((folder_ / "tree" / name).c_str(), &status), 0) << name;
    return status.st_mode & 07777U;
  }
  TemporaryFolder folder_;
  std::string detail_;
};

TEST_F(Unpack, FilesBecomeReadOnlyAndKeepOnlyTheExecutableBit) {
  const auto listing = unpack(gzip_of(tar_of({{.name = "bin/x", .contents = "#!", .mode = 0700},
                                              {.name = "data", .contents = "hello", .mode = 0666},
                                              {.name = "none", .mode = 0}})));
  ASSERT_TRUE(listing) << listing.error().detail();
  EXPECT_EQ(mode_of("bin/x"), 0555U);
  EXPECT_EQ(mode_of("data"), 0444U);
  EXPECT_EQ(mode_of("none"), 0444U);
  EXPECT_EQ(mode_of("bin"), 0555U);
  EXPECT_EQ(text_of(folder_ / "tree" / "data"), "hello");
}

TEST_F(Unpack, TheListingTellsWhatIsThere) {
  const auto listing = unpack(
      gzip_of(tar_of({{.name = "d/f", .contents = "hello"}, {.name = "s", .type = '2', .link = "d/f"}})));
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->text(),
            "curupira tree 1\nd\td\nf\td/f\t5\t"
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\nl\ts\td/f\n");
  const auto again = TreeListing::parse(listing->text());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->digest(), listing->digest());
}

TEST_F(Unpack, OrderTimesAndFormatDoNotChangeTheTree) {
  const auto tar =
      unpack(gzip_of(tar_of({{.name = "a", .contents = "1"}, {.name = "b/c", .contents = "2"}})));
  ASSERT_TRUE(tar);
  fs::rename(folder_ / "tree", folder_ / "first");
  const auto zip = unpack(zip_of(
      {{.name = "b/", .mode = 040755}, {.name = "b/c", .contents = "2"}, {.name = "a", .contents = "1"}}));
  ASSERT_TRUE(zip) << zip.error().detail();
  EXPECT_EQ(tar->digest(), zip->digest());
}

TEST_F(Unpack, EveryFormat) {
  for (const auto& [format, hex] : packed_by_others) {
    fs::remove_all(folder_ / "tree");
    const auto listing = unpack(from_hex(hex));
    ASSERT_TRUE(listing) << format << ": " << listing.error().detail();
    EXPECT_EQ(text_of(folder_ / "tree" / "d/f").substr(0, 6), "hello\n") << format << ": " << detail_;
    EXPECT_EQ(mode_of("d/f"), 0555U) << format << ": " << detail_;
  }
}

TEST_F(Unpack, EveryFormatSeesWhatIsBehindAndWhatIsMissing) {
  for (const auto& [format, hex] : packed_by_others) {
    const std::string bytes = from_hex(hex);
    fs::remove_all(folder_ / "tree");
    EXPECT_EQ(refusal(bytes + "behind"), ErrorCode::archive_trailing_data) << format << ": " << detail_;
    fs::remove_all(folder_ / "tree");
    EXPECT_EQ(refusal(bytes.substr(0, bytes.size() / 2)), ErrorCode::archive_truncated)
        << format << ": " << detail_;
  }
}

TEST_F(Unpack, LinksAreMadeAsTheyWillBeRead) {
  const auto listing = unpack(gzip_of(tar_of({{.name = "p/lib/a.1", .contents = "x"},
                                              {.name = "p/bin/a", .type = '2', .link = "../lib/./a.1"},
                                              {.name = "p/copy", .type = '1', .link = "p/lib/a.1"}})),
                              {.strip = 1});
  ASSERT_TRUE(listing) << listing.error().detail();
  EXPECT_EQ(fs::read_symlink(folder_ / "tree" / "bin" / "a"), "../lib/a.1");
  EXPECT_EQ(text_of(folder_ / "tree" / "copy"), "x");
  EXPECT_EQ(listing->find("copy")->sha256, listing->find("lib/a.1")->sha256);
}

TEST_F(Unpack, ReadsZipsWithLinks) {
  const auto listing = unpack(zip_of({{.name = "bin/x", .contents = "#!", .mode = 0100755},
                                      {.name = "x", .contents = "bin/x", .mode = 0120777}}));
  ASSERT_TRUE(listing) << listing.error().detail();
  EXPECT_EQ(fs::read_symlink(folder_ / "tree" / "x"), "bin/x");
  EXPECT_EQ(mode_of("bin/x"), 0555U);
}

TEST_F(Unpack, AWrongZipChecksumIsRefused) {
  std::string bytes = zip_of({{.name = "f", .contents = "hello"}});
  bytes[bytes.find("hello")] = 'j';
  EXPECT_NE(refusal(bytes), ErrorCode::internal);
}

TEST_F(Unpack, ProgramsMayBeMadeExecutable) {
  const auto program = RelativePath::parse("bin/x");
  const UnpackRules rules{.at_the_end = [&](TreeWriter& writer, const fs::path&) -> Result<> {
    CURUPIRA_TRY(const bool there, writer.make_executable(*program));
    EXPECT_TRUE(there);
    CURUPIRA_TRY(const bool missing, writer.make_executable(*RelativePath::parse("bin/y")));
    EXPECT_FALSE(missing);
    return {};
  }};
  const auto listing = unpack(
      gzip_of(tar_of({{.name = "bin/x", .contents = "#!"}, {.name = "y", .type = '1', .link = "bin/x"}})),
      rules);
  ASSERT_TRUE(listing);
  EXPECT_EQ(mode_of("bin/x"), 0555U);
  EXPECT_EQ(listing->find("bin/x")->kind, TreeEntry::Kind::executable);
  EXPECT_EQ(listing->find("y")->kind, TreeEntry::Kind::executable) << "the same file under another name";
}

TEST_F(Unpack, TruncatedArchives) {
  const std::string whole = gzip_of(tar_of({{.name = "f", .contents = std::string(100'000, 'x')}}));
  for (const std::size_t length : {whole.size() / 2, whole.size() - 1, std::size_t{20}}) {
    fs::remove_all(folder_ / "tree");
    EXPECT_EQ(refusal(whole.substr(0, length)), ErrorCode::archive_truncated) << length << ": " << detail_;
  }
}

TEST_F(Unpack, DataBehindTheCompressedStream) {
  EXPECT_EQ(refusal(gzip_of(tar_of({{.name = "f"}})) + "#!/bin/sh\n"), ErrorCode::archive_trailing_data);
}

TEST_F(Unpack, ASecondGzipMemberBehindTheEnd) {
  EXPECT_EQ(refusal(gzip_of(tar_of({{.name = "a"}})) + gzip_of(tar_of({{.name = "b"}}))),
            ErrorCode::archive_trailing_data);
}

TEST_F(Unpack, OneTarInTwoGzipMembersIsOneTar) {
  const std::string tar = tar_of({{.name = "a", .contents = "x"}});
  EXPECT_TRUE(unpack(gzip_of(tar.substr(0, 700)) + gzip_of(tar.substr(700))));
}

TEST_F(Unpack, CompressedTwiceIsNoTar) {
  EXPECT_EQ(refusal(gzip_of(gzip_of(tar_of({{.name = "a"}})))), ErrorCode::archive_unreadable);
}

TEST_F(Unpack, WhatIsNoArchive) {
  EXPECT_EQ(refusal(""), ErrorCode::archive_unreadable);
  fs::remove_all(folder_ / "tree");
  EXPECT_EQ(refusal("<!DOCTYPE html>"), ErrorCode::archive_unreadable);
  fs::remove_all(folder_ / "tree");
  EXPECT_EQ(refusal(tar_of({{.name = "a"}})), ErrorCode::archive_unreadable) << "a tar without compression";
  fs::remove_all(folder_ / "tree");
  EXPECT_EQ(refusal(gzip_of("")), ErrorCode::archive_unreadable) << "a compressed nothing";
}

TEST_F(Unpack, BombsStopWhereTheLimitIs) {
  ArchiveLimits limits;
  limits.max_unpacked = 1000;
  EXPECT_EQ(refusal(gzip_of(tar_of({{.name = "a", .contents = std::string(2000, 'x')}})), limits),
            ErrorCode::archive_bomb);
  EXPECT_LE(fs::file_size(folder_ / "tree" / "a"), 1000U);
}

TEST_F(Unpack, WhatIsStrippedAwayCountsToo) {
  ArchiveLimits limits;
  limits.max_unpacked = 1000;
  const auto listing =
      unpack(gzip_of(tar_of({{.name = "a", .contents = std::string(2000, 'x')}})), {.strip = 1}, limits);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().code(), ErrorCode::archive_bomb);
}

// Whatever stands in the folder already: the writer never opens it.
TEST_F(Unpack, NothingIsWrittenThroughALinkThatAppears) {
  const auto outside = folder_.write("outside", "mine");
  fs::create_directories(folder_ / "tree");
  fs::create_symlink(outside, folder_ / "tree" / "f");
  EXPECT_NE(refusal(gzip_of(tar_of({{.name = "f", .contents = "theirs"}}))), ErrorCode::internal);
  EXPECT_EQ(text_of(outside), "mine");
}

TEST_F(Unpack, NothingIsWrittenThroughAFolderLinkThatAppears) {
  fs::create_directories(folder_ / "tree");
  fs::create_directories(folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", folder_ / "tree" / "d");
  EXPECT_NE(refusal(gzip_of(tar_of({{.name = "d/f", .contents = "theirs"}}))), ErrorCode::internal);
  EXPECT_TRUE(fs::is_empty(folder_ / "elsewhere"));
}

}  // namespace
}  // namespace curupira::installer::test
