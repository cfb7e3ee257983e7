#include "tuf/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/tuf/memory_repository.h"
#include "tuf/delegation_match.h"

namespace curupira::tuf {
namespace {

using curupira::test::FaultyFileSystem;
using testing::ElementsAre;

class FixedClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override {
    return std::chrono::sys_days{std::chrono::year{2030} / 1 / 1};
  }
  std::chrono::steady_clock::time_point steady_now() const override { return {}; }
};

class ClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string root = repository.files.at("1.root.json");
    ASSERT_TRUE(pin_root(*real, folder.path(), root));
  }

  Result<> refresh(FileSystem& files, const Limits& limits = {}) {
    CURUPIRA_TRY(Client client, Client::begin(files, folder.path(), repository, clock, diagnostics, limits));
    return client.refresh();
  }
  Result<TargetInfo> find(std::string_view name) {
    CURUPIRA_TRY(Client client, Client::begin(*real, folder.path(), repository, clock, diagnostics));
    CURUPIRA_CHECK(client.refresh());
    return client.find_target(TargetName::parse(name).value());
  }
  std::map<std::string, std::string> state() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().extension() != ".lock")
        files[entry.path().filename()] = curupira::test::text_of(entry.path());
    return files;
  }

  curupira::test::TemporaryFolder folder;
  std::unique_ptr<FileSystem> real = make_posix_file_system();
  test::MemoryRepository repository;
  FixedClock clock;
  CollectedDiagnostics diagnostics;
};

TEST_F(ClientTest, UpdatesFromARepositoryThatOurOwnWriterSigned) {
  ASSERT_TRUE(refresh(*real));
  EXPECT_THAT(repository.asked,
              ElementsAre("2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"));
  EXPECT_EQ(state().at("targets.json"), repository.files.at("1.targets.json"));
  EXPECT_TRUE(diagnostics.all.empty());
}

TEST_F(ClientTest, OfAHundredThousandPackagesReadsOneBin) {
  repository.delegate_bins(10);
  const SuccinctRoles& bins = *repository.targets.delegations->succinct_roles;
  for (std::uint32_t bin = 0; bin < 1024; ++bin)
    repository.snapshot.meta[listed_file_name(bin_name(bins, bin))].version = 1;
  const TargetName wanted = TargetName::parse("packages/acme-hello/1.0.0.json").value();
  Targets bin;
  bin.common.expires = repository.targets.common.expires;
  for (int i = 0; i < 98; ++i) {  // as many as fall into one bin
    bin.targets["packages/neighbour-" + std::to_string(i) + "/1.0.0.json"] =
        TargetFile{.length = 1234, .hashes = {{"sha256", std::string(64, 'a')}}};
  }
  bin.targets[wanted.text()] = TargetFile{.length = 7, .hashes = {{"sha256", std::string(64, 'b')}}};
  const std::string role = bin_name(bins, bin_of(bins, wanted));
  repository.put(role, 1, content_of(bin));
  repository.publish();

  const auto found = find(wanted.text());
  ASSERT_TRUE(found) << found.error().detail();
  EXPECT_EQ(found->role, role);
  EXPECT_EQ(found->path, "packages/acme-hello/" + std::string(64, 'b') + ".1.0.0.json");
  EXPECT_THAT(repository.asked, ElementsAre("2.root.json", "timestamp.json", "1.snapshot.json",
                                            "1.targets.json", "1." + role + ".json"));
  EXPECT_LT(repository.bytes, 100'000u);

  repository.asked.clear();
  ASSERT_TRUE(find(wanted.text()));
  EXPECT_THAT(repository.asked, ElementsAre("2.root.json", "timestamp.json"));
}

TEST_F(ClientTest, AFolderWithoutARootTrustsNothing) {
  std::filesystem::remove(folder / "root.json");
  const auto refused = refresh(*real);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::tuf_trust_missing);
  EXPECT_TRUE(repository.asked.empty());
}

TEST_F(ClientTest, LimitsAreThoseThatAreGiven) {
  const auto refused = refresh(*real, {.max_timestamp_bytes = 100});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::tuf_metadata_too_large);
}

TEST_F(ClientTest, IsTheOnlyOneInItsFolder) {
  {
    const auto client = Client::begin(*real, folder.path(), repository, clock, diagnostics);
    ASSERT_TRUE(client);
    EXPECT_FALSE(FileLock::try_acquire(folder / "update.lock", FileLock::Mode::exclusive).value());
  }
  EXPECT_TRUE(FileLock::try_acquire(folder / "update.lock", FileLock::Mode::exclusive).value());
}

/// At every write that there is: the folder has only whole files, each old or new, and the next update works.
TEST_F(ClientTest, AFailingDiskLeavesWholeFiles) {
  ASSERT_TRUE(refresh(*real));
  const auto before = state();
  repository.root.common.version = repository.targets.common.version = repository.snapshot.common.version =
      repository.timestamp.common.version = 2;
  repository.publish();
  FaultyFileSystem faulty(*real);
  int operation = 0;
  bool done = false;
  while (!done) {
    for (const auto& [name, text] : before)
      folder.write(name, text);
    faulty.set_fault(FaultyFileSystem::Fault::crashes, ++operation);
    done = refresh(faulty).has_value();
    for (const auto& [name, text] : state()) {
      if (name.starts_with(".tmp-")) continue;
      const std::string numbered = name == "timestamp.json" || name == "highest-time" ? name : "2." + name;
      const auto fresh = repository.files.find(numbered);
      EXPECT_TRUE(text == before.at(name) || (fresh != repository.files.end() && text == fresh->second))
          << name;
    }
    EXPECT_TRUE(refresh(*real)) << operation;
    for (const auto& [name, text] : state())
      EXPECT_FALSE(name.starts_with(".tmp-")) << name;
  }
  EXPECT_GT(operation, 16);  // four files, each created, written, committed and renamed
}

}  // namespace
}  // namespace curupira::tuf
