// A copy that is killed at any operation, or whose disk fails there, leaves what clients update from, and the
// next one goes on with it.

#include "registry/bundle_writer.h"
#include "registry/carrier_fetcher.h"
#include "registry/folder_carrier.h"
#include "registry/registry_copy.h"
#include "registry/repository_keys.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/small_registry.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;
using test::FaultyFileSystem;
using test::SmallRegistry;

class Unseen final : public CopyObserver {
 public:
  void copying(const std::string&, const CopyCount&) override {}
};

class RegistryCopyCrash : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(registry_.publish(*registry_.files, "before"));
    ASSERT_TRUE(copy(*registry_.files));
    save(place_, saved_);
    ASSERT_TRUE(update(registry_.new_trust("trust"), "before"));
    save(trust_, saved_trust_);
  }

  static void save(const fs::path& from, const fs::path& to) {
    fs::remove_all(to);
    fs::copy(from, to, fs::copy_options::recursive);
  }
  void go_back() {
    fs::remove_all(fs::path(place_.string() + ".part"));
    save(saved_, place_);
    save(saved_trust_, trust_);
  }

  std::unique_ptr<WritableCarrier> carrier(FileSystem& files) const {
    if (place_.extension() == ".bundle") return std::make_unique<BundleWriter>(files, place_);
    return std::make_unique<FolderCarrier>(files, place_);
  }

  Result<> copy(FileSystem& files) {
    fs::remove_all(scratch_);
    fs::create_directories(scratch_);
    FolderCarrier from(*registry_.files, registry_.place.folder);
    const auto to = carrier(files);
    Unseen nobody;
    CURUPIRA_CHECK(copy_registry({.files = unforced_, .clock = registry_.clock, .scratch = scratch_}, from,
                                 *to, {.trust = {.own = true}, .lock = {.who = "a test"}}, nobody));
    return {};
  }

  /// A client's way to the package and its artifact, in the copy.
  Result<> update(const fs::path& trust, const std::string& package) {
    const auto from = carrier(*registry_.files);
    CarrierFetcher fetcher(*from);
    CURUPIRA_TRY(auto client,
                 tuf::Client::begin(unforced_, trust, fetcher, registry_.clock, registry_.diagnostics));
    CURUPIRA_CHECK(client.refresh());
    CURUPIRA_TRY(const auto name, PackageName::parse(package));
    CURUPIRA_TRY(const auto target, tuf::TargetName::parse(name.target()));
    CURUPIRA_TRY(const auto found, client.find_target(target));
    StringSink text(found.length);
    CURUPIRA_CHECK(from->target(found.path, nullptr, found.length, text));
    CURUPIRA_TRY(const PackageIndex index, parse_package_index(text.text(), name));
    for (const auto& [version, release] : index.versions) {
      StringSink bytes(release.archive().size);
      CURUPIRA_CHECK(from->target(release.archive().path(), nullptr, release.archive().size, bytes));
    }
    return {};
  }

  void at_every_operation(FaultyFileSystem::Fault fault, const std::string& published) {
    FaultyFileSystem faulty(*registry_.files);
    int operation = 1;
    for (;; ++operation) {
      SCOPED_TRACE("operation " + std::to_string(operation));
      go_back();
      faulty.set_fault(fault, operation);
      const Result<> done = copy(faulty);
      if (!faulty.hit()) {
        ASSERT_TRUE(done) << done.error().summary();
        break;
      }
      const auto updated = update(trust_, "before");
      ASSERT_TRUE(updated) << updated.error().summary();
      faulty.set_fault(FaultyFileSystem::Fault::none, 0);
      const Result<> again = copy(faulty);
      ASSERT_TRUE(again) << again.error().summary();
      const auto afterwards = update(trust_, published);
      ASSERT_TRUE(afterwards) << afterwards.error().summary();
    }
    EXPECT_GT(operation, 15);
  }

  SmallRegistry registry_;
  FaultyFileSystem unforced_{*registry_.files};  // nothing is forced to the disk
  fs::path place_ = registry_.temporary.path() / GetParam();
  fs::path scratch_ = registry_.temporary.path() / "scratch";
  fs::path trust_ = registry_.temporary.path() / "trust";
  fs::path saved_ = registry_.temporary.path() / "saved-copy";
  fs::path saved_trust_ = registry_.temporary.path() / "saved-trust";
};

TEST_P(RegistryCopyCrash, ItIsKilled) {
  ASSERT_TRUE(registry_.publish(*registry_.files, "after"));
  at_every_operation(FaultyFileSystem::Fault::crashes, "after");
}

TEST_P(RegistryCopyCrash, AnOperationFails) {
  ASSERT_TRUE(registry_.publish(*registry_.files, "after"));
  at_every_operation(FaultyFileSystem::Fault::fails, "after");
}

/// The old and the new key sign what the new root changes: there is no instant at which clients are outside.
TEST_P(RegistryCopyCrash, ItBringsNewKeysAndIsKilled) {
  ASSERT_TRUE(registry_.with(*registry_.files, [&](const RepositoryTools& tools) -> Result<> {
    CURUPIRA_TRY(auto repository, Repository::open_for_change(tools, registry_.place, {.who = "a test"}));
    CURUPIRA_TRY(const auto role, find_role(repository, "online"));
    CURUPIRA_TRY(const std::string old, find_key(role, std::nullopt));
    CURUPIRA_TRY(const tuf::Key key, tools.keys.make(registry_.place.keys / "online-2.pem"));
    CURUPIRA_CHECK(change_keys(repository, {.role = "online", .add = {key}, .remove = {old}}));
    return {};
  }));
  at_every_operation(FaultyFileSystem::Fault::crashes, "before");
}

INSTANTIATE_TEST_SUITE_P(Places, RegistryCopyCrash, testing::Values("copy", "copy.bundle"));

}  // namespace
}  // namespace curupira::registry
