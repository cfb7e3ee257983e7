#include "installer/verify.h"

#include "installer/repair.h"
#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::text_of;
using Kind = Difference::Kind;
using Object = Finding::Object;

/// An npm package: a blob, a tree and an environment that is made of the tree.
class Verify : public HomeFixture {
 protected:
  Verify() {
    environment_.set("npm_config_registry", "https://registry.example.org/");
    reference_ = npm_package(
        "x", "1.0.0",
        {{"curupira-extension.toml", manifest_text("x", "1.0.0", "type = \"npx\"\npackage = \"x\"\n")},
         {"data.txt", "data"}});
    EXPECT_TRUE(install({*reference_}));
    http_.asked.clear();
  }
  Verification verify() { return *verify_extensions(home_, files_, {}, observer_); }
  Result<Repair> repair() {
    const registry::SourceTools source_tools{.environment = environment_,
                                             .home = home_,
                                             .current_folder = folder_ / "",
                                             .files = files_,
                                             .http = &http_,
                                             .processes = processes_};
    const InstallerTools tools{.home = home_,
                               .environment = environment_,
                               .files = files_,
                               .http = &http_,
                               .processes = processes_,
                               .sources = sources_,
                               .platform = *manifest::Platform::parse("linux-x86_64"),
                               .source_tools = &source_tools};
    return repair_extensions(tools, {}, diagnostics_, observer_);
  }
  fs::path tree() const { return home_.trees() / receipt("x").trees.at(0); }
  fs::path environment() const { return home_.environments() / receipt("x").content.digest; }
  fs::path blob() const { return home_.blobs() / "sha512" / receipt("x").artifacts.at(0).digest.hex(); }
  static void change(const fs::path& file, const std::string& text) {
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
    std::ofstream(file, std::ios::binary) << text;
    fs::permissions(file, fs::perms::owner_write | fs::perms::group_write, fs::perm_options::remove);
  }
  /// Under another name, so that the tree's file keeps its contents.
  static void replace(const fs::path& file, const std::string& text) {
    fs::permissions(file.parent_path(), fs::perms::owner_all);
    fs::remove(file);
    std::ofstream(file, std::ios::binary) << text;
    fs::permissions(file, fs::perms(0444));
    fs::permissions(file.parent_path(), fs::perms(0555));
  }
  std::optional<registry::Reference> reference_;
};

TEST_F(Verify, WhatWasInstalledIsWhole) {
  const auto result = verify();
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.notes.empty());
  EXPECT_EQ(result.extensions, 1U);
  EXPECT_EQ(result.blobs, 1U);
  EXPECT_EQ(result.trees, 1U);
  EXPECT_EQ(result.environments, 1U);
}

TEST_F(Verify, AFileOfTheTreeIsSeenInTheEnvironmentToo) {
  const auto before = state();
  change(tree() / "data.txt", "DATA");
  const auto result = verify();
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[0].object, Object::tree);
  EXPECT_EQ(result.findings[0].difference.path, "data.txt");
  EXPECT_EQ(result.findings[1].object, Object::environment);
  const auto repaired = repair();
  ASSERT_TRUE(repaired) << repaired.error().detail();
  EXPECT_TRUE(repaired->after.findings.empty());
  EXPECT_EQ(repaired->repaired.size(), 2U);
  EXPECT_TRUE(http_.asked.empty()) << "the blob is whole";
  EXPECT_EQ(state(), before);
}

TEST_F(Verify, AFileOfTheEnvironmentAlone) {
  replace(environment() / "node_modules/x/data.txt", "DATA");
  const auto result = verify();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].object, Object::environment);
  EXPECT_EQ(result.findings[0].difference.path, "node_modules/x/data.txt");
  const auto repaired = repair();
  ASSERT_TRUE(repaired);
  EXPECT_TRUE(repaired->after.findings.empty());
  EXPECT_EQ(text_of(environment() / "node_modules/x/data.txt"), "data");
  EXPECT_TRUE(fs::equivalent(environment() / "node_modules/x/data.txt", tree() / "data.txt"));
}

// Who changes a file can change the list that describes it, but not make the file one of a package.
TEST_F(Verify, AnEnvironmentWithAListingOfItsOwn) {
  replace(environment() / "node_modules/x/data.txt", "DATA");
  const Store store(home_, *real_);
  FileDigests digests;
  const auto listing = list_folder(*real_, environment(), digests);
  ASSERT_TRUE(listing);
  change(store.environment_list(receipt("x").content.digest), listing->text());
  change(store.environment_mark(receipt("x").content.digest), environment_mark_text(listing->text()));
  const auto result = verify();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].difference.expected, "a file of one of its packages");
}

TEST_F(Verify, AnEnvironmentOfTheVersionBefore) {
  const Store store(home_, *real_);
  fs::remove(store.environment_list(receipt("x").content.digest));
  const auto result = verify();
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.notes.size(), 1U);
}

TEST_F(Verify, ADamagedBlobIsFetchedAlone) {
  const auto before = state();
  change(blob(), "x");
  ASSERT_EQ(verify().findings.size(), 1U);
  const auto repaired = repair();
  ASSERT_TRUE(repaired);
  EXPECT_TRUE(repaired->after.findings.empty());
  EXPECT_EQ(http_.asked.size(), 1U);
  EXPECT_EQ(state(), before);
}

// npm/cli#1484, pnpm/pnpm#4966.
TEST_F(Verify, WhatTheServerDoesNotHaveAnyMoreStaysDamagedAndIsNamed) {
  change(blob(), "x");
  change(tree() / "data.txt", "DATA");
  http_.bodies.clear();
  const auto repaired = repair();
  ASSERT_TRUE(repaired);
  EXPECT_FALSE(repaired->after.findings.empty());
  ASSERT_GE(repaired->unrepaired.size(), 2U);
  EXPECT_EQ(repaired->unrepaired[0].object, Object::blob);
  EXPECT_EQ(text_of(tree() / "data.txt"), "DATA") << "nothing is written into it";
}

TEST_F(Verify, OtherBytesFromTheServerAreNotUsed) {
  change(blob(), "x");
  for (auto& [url, body] : http_.bodies)
    body.back() = static_cast<char>(body.back() ^ 1);
  const auto repaired = repair();
  ASSERT_TRUE(repaired);
  ASSERT_EQ(repaired->unrepaired.size(), 1U);
  EXPECT_EQ(repaired->unrepaired[0].error.code(), ErrorCode::digest_mismatch);
  EXPECT_EQ(text_of(blob()), "x");
}

TEST_F(Verify, AModeAndALink) {
  fs::permissions(environment(), fs::perms::owner_all);
  fs::create_symlink("/etc", environment() / "more");
  fs::permissions(environment(), fs::perms(0555));
  auto result = verify();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].difference.kind, Kind::extra);
  EXPECT_EQ(result.findings[0].difference.found, "a link");
  const auto repaired = repair();
  ASSERT_TRUE(repaired);
  EXPECT_TRUE(repaired->after.findings.empty());
  fs::permissions(tree(), fs::perms(0755));
  result = verify();
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].difference.kind, Kind::mode);
}

TEST_F(Verify, RepairThatIsKilledLeavesNothingWorse) {
  bool finished = false;
  for (int operation = 1; operation < 300 && !finished; ++operation) {
    change(tree() / "data.txt", "DATA");
    files_.set_fault(curupira::test::FaultyFileSystem::Fault::crashes, operation);
    static_cast<void>(repair());
    finished = !files_.hit();
    files_.set_fault(curupira::test::FaultyFileSystem::Fault::none, 0);
    const auto again = repair();
    ASSERT_TRUE(again) << "killed at operation " << operation;
    EXPECT_TRUE(again->after.findings.empty()) << "killed at operation " << operation;
  }
  EXPECT_TRUE(finished);
}

}  // namespace
}  // namespace curupira::installer::test
