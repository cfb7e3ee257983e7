#include "base/tar_reader.h"

#include <gtest/gtest.h>

#include "tests/unit/base/read_tar.h"
#include "tests/unit/installer/archive_bytes.h"

namespace curupira::test {
using namespace installer::test;

namespace {

ErrorCode refusal(std::string bytes) {
  const auto read = read_all(std::move(bytes));
  return read ? ErrorCode::internal : read.error().code();
}

TEST(TarReader, ReadsFilesFoldersAndLinks) {
  const auto tar = read_all(tar_of({{.name = "a/", .type = '5', .mode = 0755},
                                    {.name = "a/f", .contents = std::string(700, 'x'), .mode = 0755},
                                    {.name = "s", .type = '2', .link = "a/f"},
                                    {.name = "h", .type = '1', .link = "a/f"}}));
  ASSERT_TRUE(tar) << tar.error().detail();
  ASSERT_EQ(tar->entries.size(), 4U);
  EXPECT_EQ(tar->entries[0].type, ArchiveEntry::Type::folder);
  EXPECT_EQ(tar->contents[1], std::string(700, 'x'));
  EXPECT_EQ(tar->entries[1].mode, 0755U);
  EXPECT_EQ(tar->entries[2].type, ArchiveEntry::Type::symbolic_link);
  EXPECT_EQ(tar->entries[2].link_target, "a/f");
  EXPECT_EQ(tar->entries[3].type, ArchiveEntry::Type::hard_link);
}

TEST(TarReader, SkipsContentsThatNobodyReads) {
  TextStream stream(tar_of({{.name = "a", .contents = std::string(1500, 'x')}, {.name = "b"}}));
  TarReader reader(stream);
  ASSERT_TRUE(reader.next());
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->path, "b");
}

TEST(TarReader, JoinsThePrefixOfUstar) {
  const auto tar = read_all(tar_of({{.name = "f", .prefix = "long/way"}}));
  ASSERT_TRUE(tar);
  EXPECT_EQ(tar->entries[0].path, "long/way/f");
}

TEST(TarReader, TakesLongNamesFromPaxAndGnuHeaders) {
  const std::string name(200, 'n');
  const auto pax = read_all(pax_bytes({{"mtime", "1.5"}, {"path", name}}) + tar_of({{.name = "short"}}));
  ASSERT_TRUE(pax);
  EXPECT_EQ(pax->entries[0].path, name);
  const auto gnu = read_all(tar_bytes({.name = "././@LongLink", .contents = name + '\0', .type = 'L'}) +
                            tar_of({{.name = "short"}}));
  ASSERT_TRUE(gnu);
  EXPECT_EQ(gnu->entries[0].path, name);
}

// As npm writes them: a global header with a comment, and mode 0.
TEST(TarReader, AcceptsGlobalHeadersAndModeZero) {
  const auto tar =
      read_all(pax_bytes({{"comment", "3fa2"}}, 'g') + tar_of({{.name = "f", .contents = "x", .mode = 0}}));
  ASSERT_TRUE(tar);
  EXPECT_EQ(tar->entries[0].mode, 0U);
}

// astral-sh/uv#16387
TEST(TarReader, RefusesAPaxSizeThatContradictsTheHeader) {
  const std::string smuggled = tar_bytes({.name = "smuggled", .contents = "x"});
  EXPECT_EQ(refusal(pax_bytes({{"size", std::to_string(smuggled.size())}}) +
                    tar_of({{.name = "data", .contents = smuggled, .size = 0}})),
            ErrorCode::archive_inconsistent);
}

TEST(TarReader, AcceptsAPaxSizeThatAgrees) {
  EXPECT_TRUE(read_all(pax_bytes({{"size", "3"}}) + tar_of({{.name = "f", .contents = "abc"}})));
}

TEST(TarReader, RefusesAGlobalPaxPath) {
  EXPECT_EQ(refusal(pax_bytes({{"path", "other"}}, 'g') + tar_of({{.name = "f"}})),
            ErrorCode::archive_inconsistent);
}

TEST(TarReader, RefusesTwoPaxPaths) {
  EXPECT_EQ(refusal(pax_bytes({{"path", "a"}, {"path", "b"}}) + tar_of({{.name = "f"}})),
            ErrorCode::archive_inconsistent);
}

TEST(TarReader, RefusesTwoHeadersForOneEntry) {
  EXPECT_EQ(refusal(pax_bytes({{"path", "a"}}) + pax_bytes({{"path", "b"}}) + tar_of({{.name = "f"}})),
            ErrorCode::archive_inconsistent);
}

TEST(TarReader, RefusesAPaxHeaderThatCannotBeRead) {
  EXPECT_EQ(
      refusal(tar_bytes({.name = "p", .contents = "99 path=a\n", .type = 'x'}) + tar_of({{.name = "f"}})),
      ErrorCode::archive_inconsistent);
}

TEST(TarReader, RefusesAHugePaxHeaderBeforeReadingIt) {
  EXPECT_EQ(refusal(tar_bytes({.name = "p", .type = 'x', .size = 1U << 30U})), ErrorCode::archive_bomb);
}

TEST(TarReader, RefusesSparseFiles) {
  EXPECT_EQ(refusal(pax_bytes({{"GNU.sparse.major", "1"}}) + tar_of({{.name = "f"}})),
            ErrorCode::archive_entry_type);
}

TEST(TarReader, RefusesAFolderWithContents) {
  EXPECT_EQ(refusal(tar_of({{.name = "d/", .contents = "x", .type = '5'}})), ErrorCode::archive_inconsistent);
}

TEST(TarReader, NamesWhatIsNeitherFileFolderNorLink) {
  const auto tar = read_all(tar_of({{.name = "null", .type = '3'}, {.name = "pipe", .type = '6'}}));
  ASSERT_TRUE(tar);
  EXPECT_EQ(tar->entries[0].kind, "a character device");
  EXPECT_EQ(tar->entries[1].kind, "a named pipe");
}

TEST(TarReader, RefusesEntriesBehindTheEnd) {
  EXPECT_EQ(refusal(tar_of({{.name = "a"}}) + tar_of({{.name = "b"}})), ErrorCode::archive_trailing_data);
}

TEST(TarReader, RefusesAnEntryBehindASingleZeroBlock) {
  EXPECT_EQ(refusal(tar_bytes({.name = "a"}) + std::string(512, '\0') + tar_of({{.name = "b"}})),
            ErrorCode::archive_trailing_data);
}

TEST(TarReader, AcceptsZerosUpToTheBlockingFactor) {
  EXPECT_TRUE(read_all(tar_of({{.name = "a"}}) + std::string(9216, '\0')));
}

TEST(TarReader, RefusesEndlessZeros) {
  EXPECT_EQ(refusal(tar_of({{.name = "a"}}) + std::string(2U << 20U, '\0')),
            ErrorCode::archive_trailing_data);
}

TEST(TarReader, SeesWhereItIsCutOff) {
  const std::string whole = tar_of({{.name = "a", .contents = std::string(1000, 'x')}});
  for (const std::size_t length :
       {std::size_t{100}, std::size_t{600}, std::size_t{1500}, whole.size() - 1024})
    EXPECT_EQ(refusal(whole.substr(0, length)), ErrorCode::archive_truncated) << length;
}

TEST(TarReader, RefusesAWrongChecksum) {
  std::string bytes = tar_of({{.name = "a"}, {.name = "b"}});
  bytes[512] ^= 1;
  EXPECT_EQ(refusal(bytes), ErrorCode::archive_inconsistent);
}

TEST(TarReader, RefusesWhatIsNoTar) {
  EXPECT_EQ(refusal(std::string(2048, 'x')), ErrorCode::archive_unreadable);
  EXPECT_EQ(refusal(""), ErrorCode::archive_unreadable);
}

TEST(TarReader, RefusesNegativeAndOverlongNumbers) {
  std::string bytes = tar_bytes({.name = "a"});
  bytes.replace(124, 12, std::string(12, '\xff'));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < 512; ++i)
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(bytes[i]);
  bytes.replace(148, 8, octal(sum, 7) + " ");
  EXPECT_EQ(refusal(bytes + end_of_tar()), ErrorCode::archive_inconsistent);
}

}  // namespace
}  // namespace curupira::test
