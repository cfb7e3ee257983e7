#include "manifest/running_marker.h"
#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using Fault = curupira::test::FaultyFileSystem::Fault;

class Remove : public HomeFixture {
 protected:
  ErrorCode refusal_to_remove(std::string_view name) {
    const auto removed = remove_extension(home_, files_, name, {}, observer_);
    if (!removed) help_ = removed.error().help();
    if (!removed) detail_ = removed.error().detail();
    return removed ? ErrorCode::internal : removed.error().code();
  }
  std::string help_;
};

TEST_F(Remove, TakesWhatOnlyItUsed) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto removed = remove_extension(home_, files_, "y", {}, observer_);
  ASSERT_TRUE(removed) << removed.error().detail();
  EXPECT_EQ(removed->version, "1.0.0");
  EXPECT_EQ(removed->freed_bytes, 0U) << "rollback could still use it";
  EXPECT_GT(removed->kept_bytes, 10U);
  forget_generations();
  EXPECT_TRUE(state().empty());
}

TEST_F(Remove, LeavesWhatOthersUse) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto before = state();
  ASSERT_TRUE(install({folder_extension("z")}));
  ASSERT_TRUE(remove_extension(home_, files_, "z", {}, observer_));
  forget_generations();
  EXPECT_EQ(state(), before);
}

TEST_F(Remove, NamesThatAreNotInstalled) {
  ASSERT_TRUE(install({folder_extension("hello")}));
  const auto before = state();
  EXPECT_EQ(refusal_to_remove("helo"), ErrorCode::not_installed);
  EXPECT_NE(help_.find("hello"), std::string::npos) << "the nearest name";
  for (const std::string name : {"", ".", "..", "../home", "hello/", "hello/..", "/"})
    EXPECT_EQ(refusal_to_remove(name), ErrorCode::not_installed) << name;
  EXPECT_EQ(state(), before);
}

TEST_F(Remove, WhatAnotherProgramInstalledIsLeftToIt) {
  folder_.write("home/extensions/x/curupira-extension.toml", "x");
  EXPECT_EQ(refusal_to_remove("x"), ErrorCode::not_managed);
}

TEST_F(Remove, AReceiptThatCannotBeReadIsNoObstacle) {
  ASSERT_TRUE(install({folder_extension("y")}));
  folder_.write("home/extensions/y/receipt.json", "{");
  EXPECT_EQ(refusal_to_remove("y"), ErrorCode::internal);
  forget_generations();
  EXPECT_TRUE(state().empty());
}

TEST_F(Remove, WhatRunsStaysAndThePidIsNamed) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto before = state();
  {
    const auto marker = manifest::RunningMarker::create(home_, receipt("y"));
    ASSERT_TRUE(marker);
    EXPECT_EQ(refusal_to_remove("y"), ErrorCode::in_use);
    EXPECT_NE(detail_.find(std::to_string(::getpid())), std::string::npos);
  }
  EXPECT_EQ(state(), before);
}

TEST_F(Remove, WaitsUntilItIsUnused) {
  struct Waiting final : InstallObserver {
    void waiting_for_lock(std::string_view holder) override {
      told.emplace_back(holder);
      marker.reset();  // the other command ends
    }
    std::optional<manifest::RunningMarker> marker;
    std::vector<std::string> told;
  };
  ASSERT_TRUE(install({folder_extension("y")}));
  Waiting observer;
  observer.marker = *manifest::RunningMarker::create(home_, receipt("y"));
  ASSERT_TRUE(remove_extension(home_, files_, "y", {.wait_until_unused = true}, observer));
  EXPECT_EQ(observer.told.size(), 1U);
  forget_generations();
  EXPECT_TRUE(state().empty());
}

TEST_F(Remove, KilledAtAnyOperationItIsThereOrGone) {
  bool finished = false;
  for (int operation = 1; operation < 200 && !finished; ++operation) {
    ASSERT_TRUE(install({folder_extension("y")}));
    const auto before = state();
    files_.set_fault(Fault::crashes, operation);
    static_cast<void>(remove_extension(home_, files_, "y", {}, observer_));
    finished = !files_.hit();
    files_.set_fault(Fault::none, 0);
    ASSERT_TRUE(prepare({folder_extension("other")})) << "the next command";
    forget_generations();
    if (!fs::exists(home_.extensions() / "y")) {
      EXPECT_TRUE(state().empty()) << "killed at operation " << operation;
    } else {
      EXPECT_EQ(state(), before) << "killed at operation " << operation;
    }
  }
  EXPECT_TRUE(finished);
}

}  // namespace
}  // namespace curupira::installer::test
