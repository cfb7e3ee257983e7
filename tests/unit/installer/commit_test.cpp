#include "installer/commit.h"

#include <gtest/gtest.h>

#include "installer/generation.h"
#include "installer/home_session.h"
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

constexpr int enough_operations = 400;

/// What readers see: each extension's manifest.
std::map<std::string, std::string> visible(const HomeLayout& home) {
  std::map<std::string, std::string> state;
  std::string kept;
  const auto files = make_posix_file_system();
  const auto generations = read_generations(*files, home);
  EXPECT_TRUE(generations);
  for (const auto& generation : *generations) {
    kept += std::to_string(generation.number) + ":";
    for (const auto& extension : generation.extensions)
      kept += " " + extension.name;
    for (std::size_t i = 0; i < generation.files.size(); ++i)
      kept += " " + generation_file(*files, home, generation, i, false)->value_or("none") + "->" +
              generation_file(*files, home, generation, i, true)->value_or("none");
    kept += "\n";
  }
  state["generations"] = kept;
  state["lock"] = text_of(home.root.parent_path() / "project/curupira.lock");
  if (!fs::exists(home.extensions())) return state;
  for (const auto& entry : fs::directory_iterator(home.extensions()))
    state[entry.path().filename().string()] = text_of(entry.path() / "curupira-extension.toml");
  return state;
}

class Commit : public ::testing::Test {
 protected:
  void start() {
    folder_ = std::make_unique<TemporaryFolder>();
    home_ = {.root = *folder_ / "home"};
    fs::create_directories(home_.staging());
    // "a" is replaced, "b" is added, "c" stays, "d" goes, and a file elsewhere changes with them.
    folder_->write("project/curupira.lock", "old lock");
    for (const std::string name : {"a", "c", "d"}) {
      fs::create_directories(home_.extensions() / name);
      folder_->write("home/extensions/" + name + "/curupira-extension.toml", "old " + name);
    }
  }

  /// The whole of a command's commit; false when it failed.
  bool commit(FaultyFileSystem& files) {
    InstallObserver observer;
    auto session = HomeSession::open(home_, files, observer);
    if (!session) return false;
    for (const std::string name : {"a", "b"})
      if (!stage_extension(files, session->staging(), "new " + name, receipt_of(name))) return false;
    const Changes changes{.staged = {"a", "b"},
                          .removed = {"d"},
                          .files = {{*folder_ / "project/curupira.lock", "old lock", "new lock"}}};
    const auto committed = commit_changes(files, home_, session->staging(), changes);
    if (!committed && committed.error().pending) session->leave_staging();
    return committed.has_value();
  }

  /// What the next command finds, after it tidied up.
  std::map<std::string, std::string> after_next_command() {
    InstallObserver observer;
    FaultyFileSystem sound(*real_);
    const auto session = HomeSession::open(home_, sound, observer);
    EXPECT_TRUE(session) << session.error().detail();
    return visible(home_);
  }

  static const std::map<std::string, std::string> old_state, new_state;
  std::unique_ptr<FileSystem> real_ = make_posix_file_system();
  std::unique_ptr<TemporaryFolder> folder_;
  HomeLayout home_;
};

const std::map<std::string, std::string> Commit::old_state{
    {"a", "old a"}, {"c", "old c"}, {"d", "old d"}, {"lock", "old lock"}, {"generations", ""}};
const std::map<std::string, std::string> Commit::new_state{
    {"a", "new a"},
    {"b", "new b"},
    {"c", "old c"},
    {"lock", "new lock"},
    {"generations", "0:\n1: a b old lock->new lock\n"}};

TEST_F(Commit, AllAppear) {
  start();
  FaultyFileSystem files(*real_);
  EXPECT_TRUE(commit(files));
  EXPECT_EQ(visible(home_), new_state);
  EXPECT_TRUE(fs::is_empty(home_.staging()));
  EXPECT_FALSE(fs::exists(home_.root / "commit.json"));
}

// Killed at any operation: the next command finds the old state or brings about the new one (npm/cli#8224).
TEST_F(Commit, KilledAtAnyOperation) {
  for (const bool no_exchange : {false, true}) {
    int operation = 1;
    bool finished = false;
    for (; operation < enough_operations && !finished; ++operation) {
      start();
      FaultyFileSystem files(*real_);
      files.no_exchange = no_exchange;
      files.set_fault(Fault::crashes, operation);
      commit(files);
      finished = !files.hit();
      const auto state = after_next_command();
      EXPECT_TRUE(state == old_state || state == new_state) << "killed at operation " << operation;
      EXPECT_TRUE(fs::is_empty(home_.staging())) << "killed at operation " << operation;
      EXPECT_FALSE(fs::exists(home_.root / "commit.json")) << "killed at operation " << operation;
    }
    EXPECT_TRUE(finished);
    EXPECT_GT(operation, 20);
  }
}

// Any single operation fails: what the command says is what is there.
TEST_F(Commit, AnyOperationFails) {
  for (const bool no_exchange : {false, true}) {
    bool finished = false;
    for (int operation = 1; operation < enough_operations && !finished; ++operation) {
      start();
      FaultyFileSystem files(*real_);
      files.no_exchange = no_exchange;
      files.set_fault(Fault::fails, operation);
      const bool committed = commit(files);
      finished = !files.hit();
      EXPECT_EQ(visible(home_), committed ? new_state : old_state) << "operation " << operation << " failed";
      EXPECT_EQ(after_next_command(), committed ? new_state : old_state)
          << "operation " << operation << " failed";
    }
    EXPECT_TRUE(finished);
  }
}

TEST_F(Commit, FinishingIsStoppedToo) {
  // The commit is killed right after its journal, and finishing it is killed at any operation.
  int after_journal = 0;
  FaultyFileSystem files(*real_);
  for (int operation = 1; operation < enough_operations && after_journal == 0; ++operation) {
    start();
    files.set_fault(Fault::crashes, operation);
    commit(files);
    if (fs::exists(home_.root / "commit.json")) after_journal = operation;
  }
  ASSERT_GT(after_journal, 0);
  bool finished = false;
  for (int operation = 1; operation < enough_operations && !finished; ++operation) {
    start();
    files.set_fault(Fault::crashes, after_journal);
    commit(files);
    files.set_fault(Fault::crashes, operation);
    InstallObserver observer;
    {
      const auto session = HomeSession::open(home_, files, observer);
      finished = session.has_value();
    }
    EXPECT_EQ(after_next_command(), new_state) << "finishing was killed at operation " << operation;
  }
  EXPECT_TRUE(finished);
}

TEST_F(Commit, AFileThatSomebodyElseChangedIsNotOverwritten) {
  start();
  folder_->write("project/curupira.lock", "another lock");
  FaultyFileSystem files(*real_);
  EXPECT_FALSE(commit(files));
  auto expected = old_state;
  expected["lock"] = "another lock";
  EXPECT_EQ(visible(home_), expected);
}

TEST_F(Commit, AJournalThatIsNotOursIsNamed) {
  start();
  folder_->write("home/commit.json",
                 "{\"format\": 1, \"staging\": \"x\", \"extensions\": [{\"name\": \"../x\"}]}");
  InstallObserver observer;
  const auto session = HomeSession::open(home_, *real_, observer);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code(), ErrorCode::home_unusable);
  EXPECT_EQ(visible(home_), old_state);
}

// hashicorp/terraform#31964, opentofu/opentofu#1483: waiting is said, once.
TEST_F(Commit, TheSecondCommandWaitsAndSaysSo) {
  struct Waiting final : InstallObserver {
    explicit Waiting(std::optional<HomeSession>& first) : first_(first) {}
    void waiting_for_lock(std::string_view) override {
      ++told;
      first_.reset();
    }
    std::optional<HomeSession>& first_;
    int told = 0;
  };
  start();
  InstallObserver quiet;
  auto opened = HomeSession::open(home_, *real_, quiet);
  ASSERT_TRUE(opened);
  std::optional<HomeSession> first(std::move(*opened));
  opened = fail(ErrorCode::internal);
  Waiting observer(first);
  EXPECT_TRUE(HomeSession::open(home_, *real_, observer));
  EXPECT_EQ(observer.told, 1);
}

}  // namespace
}  // namespace curupira::installer::test
