#include <gtest/gtest.h>
#include <sys/stat.h>

#include "installer/garbage.h"
#include "installer/store_session.h"
#include "installer/tree_writer.h"
#include "manifest/running_marker.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/receipts.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::FaultyFileSystem;
using curupira::test::TemporaryFolder;
using curupira::test::text_of;
using Fault = FaultyFileSystem::Fault;

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    StoreSession session(store_);
    ASSERT_TRUE(session.prepare());
    fs::create_directories(home_.staging());
    fs::create_directories(home_.extensions());
  }
  /// A staged tree with one file.
  std::pair<fs::path, TreeListing> staged(const std::string& contents) {
    const auto folder = *real_->create_temporary_folder(home_.staging(), "tree-");
    auto writer = *TreeWriter::open(folder);
    EXPECT_TRUE(writer.begin_file(*RelativePath::parse("d/f"), false));
    EXPECT_TRUE(writer.write(std::as_bytes(std::span(contents))));
    EXPECT_TRUE(writer.end_file());
    return {folder, *writer.finish()};
  }
  std::string keep(StoreSession& session, const std::string& contents) {
    const auto [folder, listing] = staged(contents);
    const auto digest = session.keep_tree(folder, listing);
    EXPECT_TRUE(digest) << digest.error().detail();
    return digest ? *digest : std::string();
  }
  void install(const manifest::Receipt& receipt) {
    const auto folder = home_.extensions() / receipt.name;
    fs::create_directories(folder);
    std::ofstream(folder / "receipt.json") << json::write(manifest::to_json(receipt));
  }

  TemporaryFolder folder_;
  HomeLayout home_{.root = folder_ / "home"};
  std::unique_ptr<FileSystem> real_ = make_posix_file_system();
  FaultyFileSystem files_{*real_};
  Store store_{home_, files_};
};

TEST_F(StoreTest, ATreeIsThereUnderItsDigestAndReadOnly) {
  StoreSession session(store_);
  const auto digest = keep(session, "hello");
  session.release();
  EXPECT_TRUE(*store_.has_tree(digest));
  EXPECT_EQ(store_.listing(digest)->digest(), digest);
  EXPECT_EQ(text_of(store_.tree(digest) / "d" / "f"), "hello");
  struct stat status {};
  ASSERT_EQ(::stat(store_.tree(digest).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0555U);
}

TEST_F(StoreTest, WhatIsNotReleasedIsTakenBack) {
  std::string old, fresh;
  {
    StoreSession session(store_);
    old = keep(session, "old");
    session.release();
  }
  {
    StoreSession session(store_);
    EXPECT_EQ(keep(session, "old"), old);
    fresh = keep(session, "fresh");
    ASSERT_TRUE(session.remember_unpacked("key", fresh));
  }
  EXPECT_TRUE(*store_.has_tree(old)) << "it was there before";
  EXPECT_FALSE(*store_.has_tree(fresh));
  EXPECT_FALSE(fs::exists(store_.tree(fresh)));
  EXPECT_FALSE(fs::exists(store_.unpacked_folder() / "key"));
}

// hashicorp/terraform#31964, astral-sh/uv#17399: half an object is none, and nothing is written into an
// existing one.
TEST_F(StoreTest, StoppedAtAnyOperationATreeIsWholeOrAbsent) {
  bool finished = false;
  for (int operation = 1; operation < 100 && !finished; ++operation) {
    const std::string contents = "contents " + std::to_string(operation);
    const auto [folder, listing] = staged(contents);
    {
      StoreSession session(store_);
      files_.set_fault(Fault::crashes, operation);
      const auto kept = session.keep_tree(folder, listing);
      finished = !files_.hit();
      session.release();
    }
    files_.set_fault(Fault::none, 0);
    if (*store_.has_tree(listing.digest())) {
      EXPECT_EQ(text_of(store_.tree(listing.digest()) / "d" / "f"), contents);
    }
    StoreSession session(store_);
    EXPECT_EQ(keep(session, contents), listing.digest()) << "after operation " << operation;
    EXPECT_EQ(text_of(store_.tree(listing.digest()) / "d" / "f"), contents);
    session.release();
  }
  EXPECT_TRUE(finished);
}

TEST_F(StoreTest, ATreeWithoutItsMarkIsAbsent) {
  StoreSession session(store_);
  const auto digest = keep(session, "hello");
  ASSERT_TRUE(session.remember_unpacked("key", digest));
  session.release();
  EXPECT_EQ(*store_.unpacked("key"), digest);
  fs::remove(store_.tree_mark(digest));
  EXPECT_FALSE(*store_.has_tree(digest));
  EXPECT_FALSE(*store_.unpacked("key"));
}

// pnpm/pnpm#4966: the error names the damaged object.
TEST_F(StoreTest, ADamagedListingIsNamed) {
  StoreSession session(store_);
  const auto digest = keep(session, "hello");
  session.release();
  fs::permissions(store_.tree_mark(digest), fs::perms::owner_all);
  std::ofstream(store_.tree_mark(digest)) << "curupira tree 1\n";
  const auto listing = store_.listing(digest);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().code(), ErrorCode::store_object_damaged);
  EXPECT_NE(listing.error().detail().find(digest), std::string::npos);
}

TEST_F(StoreTest, EnvironmentsAreMovedInWhole) {
  const auto folder = *real_->create_temporary_folder(home_.staging(), "env-");
  std::ofstream(folder / "f") << "x";
  StoreSession session(store_);
  const std::string digest(64, 'e');
  ASSERT_TRUE(session.keep_environment(folder, digest));
  session.release();
  EXPECT_TRUE(*store_.has_environment(digest));
  fs::remove(store_.environment_mark(digest));
  EXPECT_FALSE(*store_.has_environment(digest));
}

TEST_F(StoreTest, GarbageIsWhatNoReceiptNames) {
  StoreSession session(store_);
  const auto used = keep(session, "used");
  const auto unused = keep(session, "unused!");
  ASSERT_TRUE(session.remember_unpacked("of-unused", unused));
  session.release();
  install(receipt_of("a", used));
  const auto mark = fs::file_size(store_.tree_mark(unused));
  const auto freed = collect_garbage(store_);
  ASSERT_TRUE(freed);
  EXPECT_EQ(*freed, 7U + mark);
  EXPECT_TRUE(*store_.has_tree(used));
  EXPECT_FALSE(fs::exists(store_.tree(unused)));
  EXPECT_FALSE(fs::exists(store_.tree_mark(unused)));
  EXPECT_FALSE(fs::exists(store_.unpacked_folder() / "of-unused"));
}

// hashicorp/terraform#32915, oven-sh/bun#37851
TEST_F(StoreTest, WhatRunsIsNoGarbage) {
  StoreSession session(store_);
  const auto running = keep(session, "running");
  session.release();
  const auto marker = manifest::RunningMarker::create(home_, receipt_of("a", running));
  ASSERT_TRUE(marker) << marker.error().detail();
  ASSERT_TRUE(collect_garbage(store_));
  EXPECT_TRUE(*store_.has_tree(running));
}

TEST_F(StoreTest, AReceiptThatCannotBeReadKeepsEverything) {
  StoreSession session(store_);
  const auto tree = keep(session, "perhaps used");
  session.release();
  fs::create_directories(home_.extensions() / "a");
  std::ofstream(home_.extensions() / "a" / "receipt.json") << "{";
  ASSERT_TRUE(collect_garbage(store_));
  EXPECT_TRUE(*store_.has_tree(tree));
}

TEST(TreeListing, RefusesWhatItDidNotWrite) {
  for (const std::string text :
       {"", "curupira tree 2\n", "curupira tree 1\nf\ta\n", "curupira tree 1\nf\t../a\t1\tx\n",
        "curupira tree 1\nz\ta\n", "curupira tree 1\nf\ta\tmany\tx\n", "curupira tree 1\nd\ta"})
    EXPECT_FALSE(TreeListing::parse(text)) << text;
}

}  // namespace
}  // namespace curupira::installer::test
