#include "installer/zip_directory.h"

#include <gtest/gtest.h>

#include "tests/unit/installer/archive_bytes.h"

namespace curupira::installer::test {
namespace {

Result<std::vector<ZipMember>> read(const std::string& bytes, std::size_t max_entries = 100) {
  const ReadAt read_at = [&](std::uint64_t offset, std::size_t length) -> Result<std::string> {
    if (offset > bytes.size() || length > bytes.size() - offset) return fail(ErrorCode::archive_truncated);
    return bytes.substr(static_cast<std::size_t>(offset), length);
  };
  return read_zip_directory(read_at, bytes.size(), max_entries);
}

ErrorCode refusal(const std::string& bytes) {
  const auto members = read(bytes);
  return members ? ErrorCode::internal : members.error().code();
}

TEST(ZipDirectory, ReadsFilesFoldersAndLinks) {
  const auto members = read(zip_of({{.name = "d/", .mode = 040755},
                                    {.name = "d/f", .contents = "hello", .mode = 0100755},
                                    {.name = "s", .contents = "d/f", .mode = 0120777}}));
  ASSERT_TRUE(members) << members.error().detail();
  ASSERT_EQ(members->size(), 3U);
  EXPECT_EQ((*members)[0].entry.type, ArchiveEntry::Type::folder);
  EXPECT_EQ((*members)[1].entry.size, 5U);
  EXPECT_EQ((*members)[1].entry.mode, 0755U);
  EXPECT_EQ((*members)[2].entry.type, ArchiveEntry::Type::symbolic_link);
}

TEST(ZipDirectory, TakesEntriesNotMadeOnUnixAsPlainFiles) {
  const auto members = read(zip_of({{.name = "f", .contents = "x", .mode = 0}}));
  ASSERT_TRUE(members);
  EXPECT_EQ((*members)[0].entry.type, ArchiveEntry::Type::file);
  EXPECT_EQ((*members)[0].entry.mode, 0644U);
}

TEST(ZipDirectory, AcceptsACommentAndNoEntries) {
  EXPECT_TRUE(read(zip_of({{.name = "f"}}, "made by hand")));
  EXPECT_TRUE(read(zip_of({})));
}

TEST(ZipDirectory, RefusesANameThatTheLocalHeaderDoesNotHave) {
  EXPECT_EQ(refusal(zip_of({{.name = "good", .local_name = "evil"}})), ErrorCode::archive_inconsistent);
}

TEST(ZipDirectory, RefusesASizeThatTheLocalHeaderDoesNotHave) {
  EXPECT_EQ(refusal(zip_of({{.name = "f", .contents = "abc", .local_size = 2}})),
            ErrorCode::archive_inconsistent);
  EXPECT_EQ(refusal(zip_of({{.name = "f", .contents = "abc", .central_size = 4}})),
            ErrorCode::archive_inconsistent);
}

TEST(ZipDirectory, RefusesASecondNameInAnExtraField) {
  const std::string unicode_path =
      little_endian(0x7075, 2) + little_endian(9, 2) + '\1' + little_endian(0, 4) + "evil";
  EXPECT_EQ(refusal(zip_of({{.name = "good", .central_extra = unicode_path}})),
            ErrorCode::archive_inconsistent);
}

TEST(ZipDirectory, RefusesBytesThatBelongToNoEntry) {
  EXPECT_EQ(refusal(zip_of({{.name = "a", .before = "MZ executable"}})), ErrorCode::archive_inconsistent);
  EXPECT_EQ(refusal(zip_of({{.name = "a"}, {.name = "b", .before = "hidden"}})),
            ErrorCode::archive_inconsistent);
}

TEST(ZipDirectory, RefusesTwoEntriesWithTheSameData) {
  // Overlapping entries make bombs without a suspicious ratio.
  std::string bytes = zip_of({{.name = "a", .contents = "xyz"}, {.name = "a", .contents = "xyz"}});
  const auto second = bytes.rfind("PK\x01\x02");
  bytes.replace(second + 42, 4, little_endian(0, 4));
  EXPECT_EQ(refusal(bytes), ErrorCode::archive_inconsistent);
}

TEST(ZipDirectory, RefusesDataBehindTheEnd) {
  EXPECT_EQ(refusal(zip_of({{.name = "f"}}) + "more"), ErrorCode::archive_trailing_data);
}

TEST(ZipDirectory, RefusesTwoEnds) {
  const std::string inner = zip_of({});
  EXPECT_EQ(refusal(zip_of({{.name = "f"}}, inner)), ErrorCode::archive_inconsistent);
}

TEST(ZipDirectory, SeesThatItIsCutOff) {
  const std::string whole = zip_of({{.name = "f", .contents = std::string(100, 'x')}}, "comment");
  EXPECT_EQ(refusal(whole.substr(0, 50)), ErrorCode::archive_truncated);
  EXPECT_EQ(refusal(whole.substr(0, whole.size() - 3)), ErrorCode::archive_truncated);
}

TEST(ZipDirectory, RefusesWhatItDoesNotRead) {
  EXPECT_EQ(refusal(zip_of({{.name = "f", .flags = 1}})), ErrorCode::archive_unreadable) << "encrypted";
  EXPECT_EQ(refusal(zip_of({{.name = "f", .method = 12}})), ErrorCode::archive_unreadable) << "bzip2";
}

TEST(ZipDirectory, CountsBeforeItReads) {
  const auto members = read(zip_of({{.name = "a"}, {.name = "b"}, {.name = "c"}}), 2);
  ASSERT_FALSE(members);
  EXPECT_EQ(members.error().code(), ErrorCode::archive_bomb);
}

TEST(ZipDirectory, NamesDevicesAndPipes) {
  const auto members = read(zip_of({{.name = "null", .mode = 0020666}}));
  ASSERT_TRUE(members);
  EXPECT_EQ((*members)[0].entry.type, ArchiveEntry::Type::other);
}

}  // namespace
}  // namespace curupira::installer::test
