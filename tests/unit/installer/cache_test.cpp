#include "installer/cache.h"

#include "installer/rollback.h"
#include "manifest/running_marker.h"
#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Cache : public HomeFixture {
 protected:
  Result<Pruned> prune(const PruneOptions& options, std::chrono::hours later = 0h) {
    return prune_cache(home_, files_, options, std::chrono::system_clock::now() + later, observer_);
  }
  CacheInfo info() { return *cache_info(home_, files_); }
};

TEST_F(Cache, AnEmptyHomeHasNothing) {
  EXPECT_EQ(info().total(), 0U);
  const auto pruned = prune({});
  ASSERT_TRUE(pruned);
  EXPECT_TRUE(pruned->objects.empty());
}

TEST_F(Cache, SaysWhoUsesWhat) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  ASSERT_TRUE(install({folder_extension("y", "2.0.0"), folder_extension("z")}));
  EXPECT_EQ(info().trees.count, 3U);
  EXPECT_EQ(info().extensions.count, 2U);
  EXPECT_EQ(info().generations.count, 1U);
  EXPECT_EQ(info().unused.count, 0U);
  EXPECT_GT(info().generations.bytes, 0U);
  EXPECT_EQ(info().kept_generations, 3U);
}

TEST_F(Cache, PruneKeepsWhatAGenerationNeeds) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  ASSERT_TRUE(install({folder_extension("y", "2.0.0")}));
  const auto before = state();
  ASSERT_TRUE(prune({}));
  EXPECT_EQ(state(), before);
  ASSERT_TRUE(roll_back(home_, files_, std::nullopt, observer_));
}

TEST_F(Cache, KeepingFewerGenerationsMakesRoom) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  ASSERT_TRUE(install({folder_extension("y", "2.0.0")}));
  const auto would = prune({.keep_generations = 1, .dry_run = true});
  ASSERT_TRUE(would);
  EXPECT_EQ(info().trees.count, 2U) << "a dry run removes nothing";
  const auto pruned = prune({.keep_generations = 1});
  ASSERT_TRUE(pruned);
  EXPECT_EQ(pruned->generations, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(pruned->objects, would->objects);
  EXPECT_EQ(pruned->freed_bytes, would->freed_bytes);
  EXPECT_GT(pruned->freed_bytes, 0U);
  EXPECT_EQ(info().trees.count, 1U);
}

// awslabs/mcp#1400: a budget by size; the oldest go first, what is installed stays whatever it says.
TEST_F(Cache, ABudgetTakesTheOldestGenerationsFirst) {
  for (const std::string version : {"1.0.0", "2.0.0", "3.0.0"}) {
    ASSERT_TRUE(install({folder_extension("y", version)}));
  }
  const auto all = prune({.max_bytes = 1u << 30});
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->generations.empty());
  const auto one_less = prune({.max_bytes = all->left_bytes - 1});
  ASSERT_TRUE(one_less);
  EXPECT_EQ(one_less->generations, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(info().trees.count, 2U);
  const auto none = prune({.max_bytes = 0});
  ASSERT_TRUE(none);
  EXPECT_EQ(info().trees.count, 1U);
  EXPECT_GT(none->left_bytes, 0U);
}

TEST_F(Cache, OldGenerationsAndAnswersGoByAge) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  ASSERT_TRUE(install({folder_extension("y", "2.0.0")}));
  folder_.write("home/cache/answers/one", "answer");
  const auto young = prune({.max_age = 24h}, 1h);
  ASSERT_TRUE(young);
  EXPECT_TRUE(young->generations.empty());
  EXPECT_EQ(young->answers, 0U);
  const auto old = prune({.max_age = 24h}, 25h);
  ASSERT_TRUE(old);
  EXPECT_EQ(old->generations.size(), 2U) << "what is installed stays";
  EXPECT_EQ(old->answers, 1U);
  EXPECT_FALSE(fs::exists(home_.cache() / "answers/one"));
}

TEST_F(Cache, DownloadsThatBrokeOffAreCountedAndGo) {
  const std::string stem = "home/cache/partial/sha256-" + std::string(64, 'a');
  folder_.write(stem + ".part", std::string(1000, 'x'));
  folder_.write(stem + ".json", "{}");
  folder_.write("home/cache/answers/one", "answer");
  EXPECT_EQ(info().partial.count, 1U);
  EXPECT_EQ(info().partial.bytes, 1002U);
  const std::uint64_t answers = info().answers;
  const auto would = prune({.dry_run = true});
  ASSERT_TRUE(would);
  EXPECT_EQ(info().partial.count, 1U);
  const auto pruned = prune({});
  ASSERT_TRUE(pruned);
  EXPECT_EQ(pruned->partial, 1U);
  EXPECT_EQ(pruned->freed_bytes, 1002U);
  EXPECT_EQ(would->freed_bytes, 1002U);
  EXPECT_EQ(info().partial.bytes, 0U);
  EXPECT_EQ(info().answers, answers);
  EXPECT_TRUE(fs::exists(home_.cache() / "answers/one"));
}

// hashicorp/terraform#32915, oven-sh/bun#37851.
TEST_F(Cache, WhatRunsStays) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto old = receipt("y");
  const auto marker = manifest::RunningMarker::create(home_, old);
  ASSERT_TRUE(marker);
  ASSERT_TRUE(install({folder_extension("y", "2.0.0")}));
  ASSERT_TRUE(prune({.keep_generations = 1}));
  EXPECT_TRUE(fs::exists(home_.trees() / old.content.digest));
  EXPECT_EQ(info().running.count, 1U);
}

TEST_F(Cache, AReceiptThatCannotBeReadKeepsEverything) {
  ASSERT_TRUE(install({folder_extension("y")}));
  fs::remove(home_.extensions() / "y/receipt.json");
  folder_.write("home/extensions/y/receipt.json", "{");
  const auto pruned = prune({.keep_generations = 1});
  ASSERT_TRUE(pruned);
  EXPECT_TRUE(pruned->objects.empty());
  ASSERT_EQ(pruned->unreadable.size(), 1U);
  EXPECT_EQ(info().trees.count, 1U);
}

}  // namespace
}  // namespace curupira::installer::test
