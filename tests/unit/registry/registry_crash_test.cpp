// A publisher that is killed at any operation, or whose disk fails there, leaves a registry that clients
// update from, and that the next publisher goes on with.

#include "registry/repository_keys.h"
#include "registry/repository_verify.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/small_registry.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;
using test::FaultyFileSystem;
using test::SmallRegistry;

void copy_folder(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

class RegistryCrash : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(saved_);
    ASSERT_TRUE(registry_.publish(*registry_.files, "before"));
    copy_folder(registry_.place.folder, saved_ / "registry");
    copy_folder(registry_.place.keys, saved_ / "keys");
    ASSERT_TRUE(registry_.update(registry_.new_trust("trust"), "before"));
    copy_folder(registry_.temporary.path() / "trust", saved_ / "trust");
  }

  void go_back() {
    copy_folder(saved_ / "registry", registry_.place.folder);
    copy_folder(saved_ / "keys", registry_.place.keys);
    copy_folder(saved_ / "trust", registry_.temporary.path() / "trust");
  }

  std::size_t problems() {
    std::size_t count = 0;
    EXPECT_TRUE(registry_.with(*registry_.files, [&](const RepositoryTools& tools) -> Result<> {
      CURUPIRA_TRY(const auto report, verify_repository(tools, registry_.place));
      for (const auto& problem : report.problems)
        ADD_FAILURE() << problem.where << ": " << problem.error.summary();
      count = report.problems.size();
      return {};
    }));
    return count;
  }

  /// Runs `act` with a fault at every operation, one after the other.
  template <class Act>
  void at_every_operation(FaultyFileSystem::Fault fault, Act act, const std::string& published) {
    FaultyFileSystem faulty(*registry_.files);
    const fs::path trust = registry_.temporary.path() / "trust";
    int operation = 1;
    for (;; ++operation) {
      SCOPED_TRACE("operation " + std::to_string(operation));
      go_back();
      faulty.set_fault(fault, operation);
      const Result<> done = act(faulty);
      if (!faulty.hit()) {
        ASSERT_TRUE(done) << done.error().summary();
        break;
      }
      const auto updated = registry_.update(trust, "before");
      ASSERT_TRUE(updated) << updated.error().summary();
      ASSERT_EQ(problems(), 0u);
      faulty.set_fault(FaultyFileSystem::Fault::none, 0);
      const Result<> again = act(faulty);
      ASSERT_TRUE(again) << again.error().summary();
      const auto afterwards = registry_.update(trust, published);
      ASSERT_TRUE(afterwards) << afterwards.error().summary();
      ASSERT_EQ(problems(), 0u);
    }
    EXPECT_GT(operation, 15);
  }

  SmallRegistry registry_;
  fs::path saved_ = registry_.temporary.path() / "saved";
};

TEST_F(RegistryCrash, PublisherIsKilled) {
  at_every_operation(
      FaultyFileSystem::Fault::crashes, [&](FileSystem& files) { return registry_.publish(files, "after"); },
      "after");
}

TEST_F(RegistryCrash, AnOperationFails) {
  at_every_operation(
      FaultyFileSystem::Fault::fails, [&](FileSystem& files) { return registry_.publish(files, "after"); },
      "after");
}

/// Roots, targets, bins, snapshot and timestamp change together: clients never see some of it only.
TEST_F(RegistryCrash, RotationOfTheOnlineKeyIsKilled) {
  at_every_operation(
      FaultyFileSystem::Fault::crashes, [&](FileSystem& files) { return registry_.rotate_online(files); },
      "before");
}

/// Nobody has the old key: the new root comes before the timestamp, which it alone makes hold. The keeper's
/// next command finishes both.
TEST_F(RegistryCrash, ReplacingALostOnlineKeyIsKilled) {
  const auto replace = [&](FileSystem& files) { return registry_.rotate_online(files); };
  FaultyFileSystem faulty(*registry_.files);
  const fs::path trust = registry_.temporary.path() / "trust";
  for (const auto& name : {"online.pem", "online.pub"})
    fs::remove(saved_ / "keys" / name);
  for (int operation = 1;; ++operation) {
    SCOPED_TRACE("operation " + std::to_string(operation));
    go_back();
    faulty.set_fault(FaultyFileSystem::Fault::crashes, operation);
    const Result<> done = replace(faulty);
    const bool hit = faulty.hit();
    faulty.set_fault(FaultyFileSystem::Fault::none, 0);
    const Result<> again = replace(faulty);
    ASSERT_TRUE(again) << again.error().summary();
    const auto updated = registry_.update(trust, "before");
    ASSERT_TRUE(updated) << updated.error().summary();
    ASSERT_EQ(problems(), 0u);
    if (hit) continue;
    ASSERT_TRUE(done) << done.error().summary();
    break;
  }
}

}  // namespace
}  // namespace curupira::registry
