#include "base/file_system.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace curupira {
namespace {

namespace fs = std::filesystem;

class FileSystemTest : public ::testing::Test {
 protected:
  Result<> create(const fs::path& path, std::string_view text, unsigned mode = 0644) {
    CURUPIRA_TRY(const auto file, files_->create_file(path, mode));
    CURUPIRA_CHECK(file->write(std::as_bytes(std::span(text))));
    return file->commit();
  }
  unsigned mode_of(const fs::path& path) { return files_->status(path).value().value().mode; }

  test::TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(FileSystemTest, ReadsAWholeFile) {
  const std::string text(200'000, 'x');
  EXPECT_EQ(files_->read_file(folder_.write("f", text), 200'000).value(), text);
}

TEST_F(FileSystemTest, ReadingStopsAtTheLimit) {
  const auto read = files_->read_file(folder_.write("f", "12345"), 4);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::response_too_large);
}

TEST_F(FileSystemTest, AMissingFileIsItsOwnAnswer) {
  EXPECT_EQ(files_->read_file(folder_ / "none", 1).error().code(), ErrorCode::file_not_found);
  EXPECT_EQ(files_->read_file(folder_.write("f", "") / "x", 1).error().code(), ErrorCode::file_not_found);
}

TEST_F(FileSystemTest, AFolderOrAPipeIsNoFileToRead) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(files_->read_file(folder_ / "pipe", 1).error().code(), ErrorCode::file_failed);
  EXPECT_EQ(files_->read_file(folder_.path(), 1).error().code(), ErrorCode::file_failed);
}

TEST_F(FileSystemTest, StatusIsOfThePathItself) {
  folder_.write("f", "123");
  fs::create_symlink("f", folder_ / "link");
  fs::create_directory_symlink(".", folder_ / "here");
  EXPECT_EQ(files_->status(folder_ / "f").value()->size, 3u);
  EXPECT_EQ(files_->status(folder_ / "link").value()->type, FileType::symlink);
  EXPECT_EQ(files_->status(folder_ / "here/").value()->type, FileType::symlink);
  EXPECT_EQ(files_->status(folder_.path()).value()->type, FileType::directory);
  EXPECT_FALSE(files_->status(folder_ / "none").value().has_value());
}

TEST_F(FileSystemTest, ListsSortedByBytes) {
  for (const char* name : {"b", "a", "B", "é", ".hidden"})
    folder_.write(name, "");
  EXPECT_EQ(files_->list(folder_.path()).value(), (std::vector<std::string>{".hidden", "B", "a", "b", "é"}));
  EXPECT_EQ(files_->list(folder_ / "none").error().code(), ErrorCode::file_not_found);
  EXPECT_EQ(files_->list(folder_ / "a").error().code(), ErrorCode::file_not_found);
}

TEST_F(FileSystemTest, ReadsALinkWithoutFollowingIt) {
  ASSERT_TRUE(files_->symbolic_link("../nowhere", folder_ / "link"));
  EXPECT_EQ(files_->read_link(folder_ / "link").value(), "../nowhere");
}

TEST_F(FileSystemTest, CreatesWithExactlyTheModeThatIsAskedFor) {
  const mode_t before = ::umask(077);
  const auto created = create(folder_ / "f", "text", 0755);
  ::umask(before);
  ASSERT_TRUE(created);
  EXPECT_EQ(mode_of(folder_ / "f"), 0755u);
  EXPECT_EQ(test::text_of(folder_ / "f"), "text");
}

TEST_F(FileSystemTest, NeverOpensAnExistingFileForWriting) {
  folder_.write("f", "old");
  fs::create_symlink("elsewhere", folder_ / "link");
  EXPECT_EQ(create(folder_ / "f", "new").error().code(), ErrorCode::file_failed);
  EXPECT_FALSE(create(folder_ / "link", "new"));
  EXPECT_EQ(test::text_of(folder_ / "f"), "old");
}

TEST_F(FileSystemTest, AFileCanStartAgain) {
  const auto file = files_->create_file(folder_ / "f", 0644).value();
  ASSERT_TRUE(file->write(std::as_bytes(std::span(std::string_view("first try")))));
  ASSERT_TRUE(file->restart());
  ASSERT_TRUE(file->write(std::as_bytes(std::span(std::string_view("second")))));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(test::text_of(folder_ / "f"), "second");
}

TEST_F(FileSystemTest, MakesFoldersThatMayBeThereAlready) {
  ASSERT_TRUE(files_->create_folders(folder_ / "a/b/c"));
  ASSERT_TRUE(files_->create_folders(folder_ / "a/b/c/"));
  EXPECT_TRUE(fs::is_directory(folder_ / "a/b/c"));
  folder_.write("f", "");
  EXPECT_FALSE(files_->create_folders(folder_ / "f"));
  EXPECT_FALSE(files_->create_folders(folder_ / "f/g"));
}

TEST_F(FileSystemTest, TemporaryFoldersAreNewAndOurs) {
  const auto one = files_->create_temporary_folder(folder_.path(), "work-").value();
  const auto two = files_->create_temporary_folder(folder_.path(), "work-").value();
  EXPECT_NE(one, two);
  EXPECT_EQ(mode_of(one), 0700u);
  EXPECT_TRUE(one.filename().native().starts_with("work-"));
}

TEST_F(FileSystemTest, RenameReplaces) {
  folder_.write("new", "new");
  folder_.write("old", "old");
  ASSERT_TRUE(files_->rename(folder_ / "new", folder_ / "old"));
  EXPECT_EQ(test::text_of(folder_ / "old"), "new");
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(FileSystemTest, ExchangeSwapsFolders) {
  folder_.write("a/f", "a");
  folder_.write("b/f", "b");
  ASSERT_TRUE(files_->exchange(folder_ / "a", folder_ / "b"));
  EXPECT_EQ(test::text_of(folder_ / "a/f"), "b");
  EXPECT_EQ(test::text_of(folder_ / "b/f"), "a");
}

TEST_F(FileSystemTest, HardLinksShareTheFile) {
  folder_.write("f", "x");
  ASSERT_TRUE(files_->hard_link(folder_ / "f", folder_ / "g"));
  EXPECT_EQ(files_->status(folder_ / "g").value()->link_count, 2u);
}

TEST_F(FileSystemTest, SetsTheModeButNotThroughALink) {
  folder_.write("f", "");
  fs::create_symlink("f", folder_ / "link");
  ASSERT_TRUE(files_->set_mode(folder_ / "f", 0400));
  EXPECT_FALSE(files_->set_mode(folder_ / "link", 0777));
  EXPECT_EQ(mode_of(folder_ / "f"), 0400u);
}

TEST_F(FileSystemTest, RemovingWhatIsNotThereIsNoError) {
  EXPECT_TRUE(files_->remove_file(folder_ / "none"));
  EXPECT_TRUE(files_->remove_tree(folder_ / "none/below"));
}

TEST_F(FileSystemTest, RemoveFileLeavesFolders) {
  fs::create_directory(folder_ / "d");
  EXPECT_EQ(files_->remove_file(folder_ / "d").error().code(), ErrorCode::file_failed);
}

TEST_F(FileSystemTest, RemovesATreeOfReadOnlyFolders) {
  folder_.write("t/a/b/f", "");
  for (const char* folder : {"t/a/b", "t/a", "t"})
    fs::permissions(folder_ / folder, fs::perms(0));
  ASSERT_TRUE(files_->remove_tree(folder_ / "t/"));
  EXPECT_FALSE(fs::exists(folder_ / "t"));
}

TEST_F(FileSystemTest, RemovingATreeFollowsNoLink) {
  folder_.write("outside/f", "stays");
  fs::create_directory(folder_ / "t");
  fs::create_directory_symlink(folder_ / "outside", folder_ / "t/link");
  ASSERT_TRUE(files_->remove_tree(folder_ / "t"));
  EXPECT_EQ(test::text_of(folder_ / "outside/f"), "stays");

  fs::create_directory_symlink(folder_ / "outside", folder_ / "link");
  ASSERT_TRUE(files_->remove_tree(folder_ / "link/"));
  EXPECT_EQ(test::text_of(folder_ / "outside/f"), "stays");
  EXPECT_FALSE(fs::is_symlink(folder_ / "link"));
}

TEST_F(FileSystemTest, RemovesATreeThatIsDeeperThanDescriptorsReach) {
  // Deeper than a path can be long, so each folder is made from within the one above it.
  ASSERT_TRUE(fs::create_directory(folder_ / "t"));
  int fd = ::open((folder_ / "t").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(::mkdirat(fd, "deep", 0755), 0);
    const int next = ::openat(fd, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(fd);
    fd = next;
  }
  ::close(fd);
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{.rlim_cur = 128, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  const auto removed = files_->remove_tree(folder_ / "t");
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(removed) << removed.error().detail();
  EXPECT_FALSE(fs::exists(folder_ / "t"));
}

TEST_F(FileSystemTest, RefusesToRemoveWhatHasNoName) {
  for (const char* path : {"/", "", ".", ".."})
    EXPECT_FALSE(files_->remove_tree(path)) << path;
}

TEST_F(FileSystemTest, SyncsFolders) {
  EXPECT_TRUE(files_->sync_folder(folder_.path()));
  EXPECT_FALSE(files_->sync_folder(folder_ / "none"));
}

TEST_F(FileSystemTest, AtomicWriteReplacesAndLeavesNothingBeside) {
  folder_.write("f", "old");
  ASSERT_TRUE(write_file_atomically(*files_, folder_ / "f", "new", 0600));
  EXPECT_EQ(test::text_of(folder_ / "f"), "new");
  EXPECT_EQ(mode_of(folder_ / "f"), 0600u);
  EXPECT_EQ(files_->list(folder_.path()).value(), std::vector<std::string>{"f"});
}

TEST_F(FileSystemTest, AFailedAtomicWriteLeavesTheOldAndNothingBeside) {
  fs::create_directories(folder_ / "f/full");  // a file cannot replace a folder
  EXPECT_FALSE(write_file_atomically(*files_, folder_ / "f", "new"));
  EXPECT_EQ(files_->list(folder_.path()).value(), std::vector<std::string>{"f"});
}

TEST_F(FileSystemTest, ErrorsSayPathAndReasonPrintably) {
  const auto error = files_->rename(folder_ / "none\x1b[31m", folder_ / "x").error();
  EXPECT_NE(error.detail().find("ENOENT"), std::string::npos);
  EXPECT_EQ(error.detail().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace curupira
