#include "installer/generation.h"

#include "installer/commit.h"
#include "installer/home_session.h"
#include "installer/rollback.h"
#include "installer/seen_locks.h"
#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::text_of;
using Fault = curupira::test::FaultyFileSystem::Fault;

class Generations : public HomeFixture {
 protected:
  std::vector<std::uint64_t> numbers() const { return *generation_numbers(*real_, home_); }
  Result<Rollback> back(std::optional<std::uint64_t> number = std::nullopt) {
    return roll_back(home_, files_, number, observer_);
  }
  ErrorCode refusal_to_go_back(std::optional<std::uint64_t> number = std::nullopt) {
    const auto rollback = back(number);
    if (!rollback) detail_ = rollback.error().detail() + " " + rollback.error().help();
    return rollback ? ErrorCode::internal : rollback.error().code();
  }
};

TEST_F(Generations, EachCommandThatChangesSomethingIsOne) {
  ASSERT_TRUE(install({folder_extension("y")}));
  ASSERT_TRUE(install({folder_extension("y")}));  // no change
  ASSERT_TRUE(remove_extension(home_, files_, "y", {}, observer_));
  EXPECT_EQ(numbers(), (std::vector<std::uint64_t>{0, 1, 2}));
  const auto all = *read_generations(*real_, home_);
  EXPECT_TRUE(all[0].extensions.empty());
  EXPECT_EQ(all[1].command, "install");
  EXPECT_EQ(all[1].extensions.at(0).version, "1.0.0");
  EXPECT_EQ(all[2].command, "remove");
  EXPECT_EQ(all[1].time.size(), std::string("2026-12-01T08:35:00Z").size());
}

TEST_F(Generations, WhatWasThereBeforeTheFirstIsKept) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  fs::remove_all(home_.generations());  // a home of the version before
  ASSERT_TRUE(install({folder_extension("y", "2.0.0")}));
  ASSERT_TRUE(back(0));
  EXPECT_EQ(receipt("y").version, "1.0.0");
}

TEST_F(Generations, OnlyTheLastAreKept) {
  for (std::size_t i = 0; i <= kept_generations; ++i) {
    ASSERT_TRUE(install({folder_extension("y", "1.0." + std::to_string(i))}));
  }
  EXPECT_EQ(numbers().size(), kept_generations);
  EXPECT_EQ(numbers().back(), kept_generations + 1);
}

TEST_F(Generations, RollbackGoesBackAndIsUndoneByAnother) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  ASSERT_TRUE(install({folder_extension("y", "2.0.0"), folder_extension("z")}));
  const auto rollback = back();
  ASSERT_TRUE(rollback) << rollback.error().detail();
  EXPECT_EQ(rollback->from, 2U);
  EXPECT_EQ(rollback->to, 1U);
  EXPECT_EQ(rollback->recorded, 3U);
  EXPECT_EQ(receipt("y").version, "1.0.0");
  EXPECT_FALSE(fs::exists(home_.extensions() / "z"));
  ASSERT_TRUE(back());
  EXPECT_EQ(receipt("y").version, "2.0.0");
  EXPECT_EQ(receipt("z").version, "1.0.0");
  const auto same = back(2);
  ASSERT_TRUE(same);
  EXPECT_FALSE(same->recorded) << "it is as it was";
  EXPECT_TRUE(http_.asked.empty());
}

TEST_F(Generations, ThereHasToBeOne) {
  EXPECT_EQ(refusal_to_go_back(), ErrorCode::generation_missing);
  ASSERT_TRUE(install({folder_extension("y")}));
  EXPECT_EQ(refusal_to_go_back(7), ErrorCode::generation_missing);
  EXPECT_NE(detail_.find("kept are 0 to 1"), std::string::npos) << detail_;
}

// npm/cli#1484: the error names what is missing and what brings it.
TEST_F(Generations, AMissingObjectIsNamedWithTheCommandThatBringsIt) {
  const auto reference = npm_package(
      "x", "1.0.0",
      {{"curupira-extension.toml", manifest_text("x", "1.0.0", "type = \"npx\"\npackage = \"x\"\n")}});
  ASSERT_TRUE(install({reference}));
  const auto environment = receipt("x").content.digest;
  ASSERT_TRUE(remove_extension(home_, files_, "x", {}, observer_));
  ASSERT_TRUE(real_->remove_tree(home_.environments() / environment));
  const auto before = state();
  EXPECT_EQ(refusal_to_go_back(), ErrorCode::object_missing);
  EXPECT_NE(detail_.find(environment), std::string::npos) << detail_;
  EXPECT_NE(detail_.find("plugins install npm:x@1.0.0"), std::string::npos) << detail_;
  EXPECT_EQ(state(), before);
}

TEST_F(Generations, ARecordThatWasChangedIsNotUsed) {
  ASSERT_TRUE(install({folder_extension("y")}));
  ASSERT_TRUE(remove_extension(home_, files_, "y", {}, observer_));
  const auto kept = kept_extension(home_, 1, "y") / "curupira-extension.toml";
  fs::permissions(kept, fs::perms::owner_all);
  folder_.write("home/generations/1/extensions/y/curupira-extension.toml", "other");
  EXPECT_EQ(refusal_to_go_back(), ErrorCode::generation_unreadable);
}

TEST_F(Generations, LockFilesGoBackWithTheExtensions) {
  const auto lock = folder_.write("project/curupira.lock", "first");
  const auto change_lock = [&](const std::string& before, const std::string& after) {
    auto session = HomeSession::open(home_, files_, observer_);
    ASSERT_TRUE(session);
    ASSERT_TRUE(commit_changes(files_, home_, session->staging(),
                               {.files = {{lock, before, after}}, .command = "update"}));
  };
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  change_lock("first", "second");
  change_lock("second", "third");
  ASSERT_TRUE(back());
  EXPECT_EQ(text_of(lock), "second");
  ASSERT_TRUE(back(1));
  EXPECT_EQ(text_of(lock), "first") << "as the first command that changed it found it";
  ASSERT_TRUE(back(3));
  EXPECT_EQ(text_of(lock), "third");
}

TEST_F(Generations, AProjectThatIsGoneHindersNothing) {
  const auto lock = folder_.write("project/curupira.lock", "first");
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  {
    auto session = HomeSession::open(home_, files_, observer_);
    ASSERT_TRUE(session);
    ASSERT_TRUE(
        commit_changes(files_, home_, session->staging(),
                       {.removed = {"y"}, .files = {{lock, "first", std::nullopt}}, .command = "remove"}));
  }
  EXPECT_FALSE(fs::exists(lock));
  fs::remove_all(lock.parent_path());
  const auto rollback = back();
  ASSERT_TRUE(rollback) << rollback.error().detail();
  EXPECT_EQ(receipt("y").version, "1.0.0");
  EXPECT_FALSE(fs::exists(lock));
}

TEST_F(Generations, RollbackThatIsKilledLeavesTheOldOrTheNew) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  ASSERT_TRUE(install({folder_extension("y", "2.0.0")}));
  bool finished = false;
  for (int operation = 1; operation < 200 && !finished; ++operation) {
    const std::string before = receipt("y").version;
    files_.set_fault(Fault::crashes, operation);
    static_cast<void>(back());
    finished = !files_.hit();
    files_.set_fault(Fault::none, 0);
    ASSERT_TRUE(HomeSession::open(home_, *real_, observer_)) << "the next command";
    const std::string expected = numbers().size() % 2 == 1 ? "2.0.0" : "1.0.0";
    EXPECT_EQ(receipt("y").version, expected) << "killed at operation " << operation << ", was " << before;
  }
  EXPECT_TRUE(finished);
}

// awslabs/mcp#1400: what a lock names stays while its file is there.
TEST_F(Generations, ALockThatWasSeenKeepsWhatItNames) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto tree = receipt("y").content.digest;
  const auto lock = folder_.write("project/curupira.lock", "lock");
  ASSERT_TRUE(remember_lock(files_, home_, {.path = lock, .blobs = {}, .trees = {tree, tree}}));
  ASSERT_TRUE(remove_extension(home_, files_, "y", {}, observer_));
  forget_generations();
  EXPECT_TRUE(fs::exists(home_.trees() / tree));
  fs::remove(lock);
  forget_generations();
  EXPECT_FALSE(fs::exists(home_.trees() / tree));
}

}  // namespace
}  // namespace curupira::installer::test
