#include "registry/registry_client.h"

#include <gmock/gmock.h>

#include "registry/repository_roles.h"
#include "registry/revision.h"
#include "registry/target_files.h"
#include "tests/support/small_registry.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::SmallRegistry;

/// A user of a registry in a folder.
class RegistryClientTest : public RegistryTest {
 protected:
  RegistryClientTest() {
    EXPECT_TRUE(registry.publish(*files, "tickets"));
    settings = {.name = "acme",
                .url = registry.place.folder.string(),
                .root_fingerprint = digest_of(DigestAlgorithm::sha256, first_root())};
  }

  std::string first_root() {
    return files->read_file(registry.place.folder / "metadata" / "1.root.json", 1u << 20).value();
  }
  SourceTools tools_with_clock() {
    SourceTools result = tools();
    result.clock = &registry.clock;
    return result;
  }
  Result<std::unique_ptr<RegistryClient>> open() {
    return RegistryClient::open(kept_tools, settings, diagnostics);
  }
  /// A copy of the registry, to be asked after it.
  fs::path add_mirror() {
    const fs::path copy = folder / "mirror";
    fs::copy(registry.place.folder, copy, fs::copy_options::recursive);
    settings.mirrors.push_back(copy.string());
    return copy;
  }
  /// Changes each metadata file of the registry whose name has this ending.
  void spoil(std::string_view ending) {
    for (const auto& file : fs::directory_iterator(registry.place.folder / "metadata"))
      if (file.path().string().ends_with(ending)) std::ofstream(file.path()) << "{}";
  }

  SmallRegistry registry;
  manifest::RegistrySettings settings;
  SourceTools kept_tools = tools_with_clock();
  PackageName tickets = PackageName::parse("tickets").value();
};

TEST_F(RegistryClientTest, FindsAPackageWithWhatProvesIt) {
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  const auto record = (*client)->find(tickets);
  ASSERT_TRUE(record) << record.error().summary();
  EXPECT_TRUE(record->index.find("1.0.0"));
  const auto target = tuf::TargetName::parse(tickets.target()).value();
  const auto again = tuf::verify_proof(record->proof, target);
  ASSERT_TRUE(again) << again.error().summary();
  EXPECT_EQ(again->digests, record->info.digests);
  EXPECT_EQ(again->role, record->info.role);
}

TEST_F(RegistryClientTest, AProofHasToBeWhole) {
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  const auto record = (*client)->find(tickets);
  ASSERT_TRUE(record) << record.error().summary();
  const auto target = tuf::TargetName::parse(tickets.target()).value();
  EXPECT_EQ(record->proof.metadata.size(), 6u);
  for (const auto& [role, file] : record->proof.metadata) {
    auto lacks = record->proof, changed = record->proof;
    lacks.metadata.erase(role);
    EXPECT_FALSE(tuf::verify_proof(lacks, target)) << role;
    changed.metadata[role].replace(file.find("expires"), 7, "expired");
    EXPECT_FALSE(tuf::verify_proof(changed, target)) << role;
  }
  auto late = record->proof;
  late.time += std::chrono::days(8);
  EXPECT_EQ(tuf::verify_proof(late, target).error().code(), ErrorCode::tuf_expired);
}

TEST_F(RegistryClientTest, APackageThatIsNotThere) {
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  EXPECT_EQ((*client)->find(PackageName::parse("nothing").value()).error().code(),
            ErrorCode::package_unlisted);
}

TEST_F(RegistryClientTest, WhoseTimestampDoesNotHoldGivesWayToAMirror) {
  add_mirror();
  spoil("timestamp.json");
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  EXPECT_TRUE((*client)->find(tickets));
  EXPECT_TRUE(was_reported(registry.place.folder.string()));
}

TEST_F(RegistryClientTest, WhosePackagesDoNotHoldGivesWayToAMirror) {
  add_mirror();
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  for (const char* const bin : {".bins-0.json", ".bins-1.json"})
    spoil(bin);
  const auto record = (*client)->find(tickets);
  ASSERT_TRUE(record) << record.error().summary();
  EXPECT_TRUE(was_reported(registry.place.folder.string()));
}

TEST_F(RegistryClientTest, WhatIsSwappedOnTheWayIsNotTaken) {
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  const auto record = (*client)->find(tickets);
  ASSERT_TRUE(record) << record.error().summary();
  IndexArtifact artifact = record->index.find("1.0.0")->archive();
  StringSink good(1000), bad(1000), small(1000);
  EXPECT_TRUE((*client)->fetch(artifact, good));
  EXPECT_EQ(good.text(), "tickets 1.0.0");
  std::ofstream(registry.place.folder / "targets" / artifact.path()) << "tickets 1.0.1";
  EXPECT_EQ((*client)->fetch(artifact, bad).error().code(), ErrorCode::tuf_target_swapped);
  artifact.size = 3;
  EXPECT_EQ((*client)->fetch(artifact, small).error().code(), ErrorCode::tuf_target_swapped);
}

TEST_F(RegistryClientTest, TheIndexSpeaksOnlyOfPackagesWhereClientsFindThem) {
  const auto put_index = [&](Repository& repository) -> Result<> {
    CURUPIRA_TRY(const TargetsRole role, repository.delegated_role(search_role));
    SearchIndex index;
    for (const auto& [file, meta] : repository.snapshot().meta)
      index.roles.emplace(file.substr(0, file.size() - 5), meta.version);
    index.packages = {{.name = PackageName::parse("elsewhere").value(), .brief = {}, .role = "nobody"},
                      {.name = tickets, .brief = {.summary = "moved"}, .role = "bins-0"}};
    CURUPIRA_TRY(const std::string owner, repository.role_name_for(tickets));
    if (owner == "bins-0") index.packages[1].role = "bins-1";
    CURUPIRA_TRY(const NewTarget target, new_search_index(index));
    tuf::Targets content;
    content.targets = {{target.target, target.file}};
    Revision revision(repository);
    revision.upload(target.upload);
    revision.put(role, std::move(content));
    CURUPIRA_CHECK(revision.commit());
    return {};
  };
  ASSERT_TRUE(registry.change(*files, put_index));
  const auto client = open();
  ASSERT_TRUE(client) << client.error().summary();
  const auto found = (*client)->search({""});
  ASSERT_TRUE(found) << found.error().summary();
  EXPECT_TRUE(found->empty());
}

TEST_F(RegistryClientTest, LetsOthersUpdateBetweenQuestions) {
  const auto one = open(), other = open();
  ASSERT_TRUE(one && other);
  EXPECT_TRUE((*one)->find(tickets));
  EXPECT_TRUE((*other)->find(tickets));
  EXPECT_TRUE((*one)->find(tickets));
}

}  // namespace
}  // namespace curupira::registry::test
