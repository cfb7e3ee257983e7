#include "installer/sync.h"

#include <gtest/gtest.h>

#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;

/// Installs from the fake source with a lock file, and then only from the lock file.
class SyncFixture : public HomeFixture {
 protected:
  SyncFixture() { environment_.set("npm_config_registry", "https://registry.example.org/"); }

  static std::string manifest(const std::string& name) {
    return manifest_text(name, "1.0.0", "type = \"npx\"\npackage = \"" + name + "\"\n");
  }

  /// A package that depends on `member`, which depends on `member_needs`.
  void publish(const std::string& member_needs = "") {
    const auto json = [](const std::string& name, const std::string& needs) {
      return R"({"name": ")" + name + R"(", "version": "1.0.0", "bin": "cli.js", "dependencies": {)" +
             (needs.empty() ? "" : "\"" + needs + "\": \"^1.0.0\"") + "}}";
    };
    add("member", npm_tarball({{"package.json", json("member", member_needs)}, {"cli.js", "x"}}));
    add("root", npm_tarball({{"package.json", json("root", "member")},
                             {"cli.js", "#!/usr/bin/env node\n"},
                             {"curupira-extension.toml", manifest("root")}}));
    source_->resolutions.insert_or_assign("npm:root@^1", resolution_);
  }

  void add(const std::string& name, const std::string& tarball) {
    const std::string url = "https://registry.example.org/" + name + "/-/" + name + "-1.0.0.tgz";
    http_.bodies[url] = tarball;
    auto& closure = std::get<registry::NodeClosure>(resolution_.content);
    closure.packages.push_back({.location = *RelativePath::parse("node_modules/" + name),
                                .name = name,
                                .version = "1.0.0",
                                .artifact = resolution_.artifacts.size()});
    resolution_.artifacts.push_back({.package = name,
                                     .version = "1.0.0",
                                     .file_name = name + "-1.0.0.tgz",
                                     .location = *Url::parse(url),
                                     .proof = {.any_of = {digest_of(DigestAlgorithm::sha512, tarball)}}});
  }

  Result<InstallPlan> install_locked() {
    const InstallerTools given = tools();
    CURUPIRA_TRY(PreparedInstall prepared,
                 prepare_install(given, std::vector{reference_}, options_.install, diagnostics_, observer_));
    InstallPlan plan = prepared.plan();
    CURUPIRA_CHECK(std::move(prepared).commit(observer_));
    return plan;
  }
  Result<InstallPlan> sync() {
    const InstallerTools given = tools();
    CURUPIRA_TRY(PreparedInstall prepared, prepare_sync(given, options_, diagnostics_, observer_));
    InstallPlan plan = prepared.plan();
    CURUPIRA_CHECK(std::move(prepared).commit(observer_));
    return plan;
  }
  InstallerTools tools() {
    return {.home = home_,
            .environment = environment_,
            .files = files_,
            .http = offline_ ? nullptr : &http_,
            .processes = processes_,
            .sources = sources_,
            .platform = *manifest::Platform::parse("linux-x86_64"),
            .current_folder = folder_ / "",
            .source_tools = offline_ ? &offline_tools_ : &source_tools_};
  }
  std::string lock() const { return curupira::test::text_of(folder_ / "project/curupira.lock"); }
  void change_lock(const std::string& from, const std::string& to) {
    std::string text = lock();
    const auto place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    folder_.write("project/curupira.lock", text.replace(place, from.size(), to));
  }
  /// Another home beside the same lock file.
  void new_home() { home_.root = folder_ / "other"; }

  registry::Resolution resolution_{.reference = registry::NpmReference{.name = "root", .range = "^1"},
                                   .package = "root",
                                   .version = "1.0.0",
                                   .artifacts = {},
                                   .content = registry::NodeClosure{.root = "root", .packages = {}}};
  registry::Reference reference_ = resolution_.reference;
  SyncOptions options_{.install = {.lock = LockPlace{.file = (folder_.write("project/settings.toml", ""),
                                                              folder_ / "project/curupira.lock")}},
                       .frozen = true};
  bool offline_ = false;
  registry::SourceTools source_tools_{.environment = environment_,
                                      .home = home_,
                                      .current_folder = folder_ / "",
                                      .files = files_,
                                      .http = &http_,
                                      .processes = processes_};
  registry::SourceTools offline_tools_{.environment = environment_,
                                       .home = home_,
                                       .current_folder = folder_ / "",
                                       .files = files_,
                                       .http = nullptr,
                                       .processes = processes_};
};

TEST_F(SyncFixture, AnotherHomeGetsTheSame) {
  publish();
  ASSERT_TRUE(install_locked());
  const auto installed = receipt("root");
  const std::string text = lock();
  new_home();
  const auto plan = sync();
  ASSERT_TRUE(plan) << plan.error().detail();
  EXPECT_EQ(json::write(manifest::to_json(receipt("root"))), json::write(manifest::to_json(installed)));
  EXPECT_EQ(lock(), text);
  EXPECT_TRUE(processes_.requests.empty());
}

TEST_F(SyncFixture, WhatIsInStepIsNotTouched) {
  publish();
  ASSERT_TRUE(install_locked());
  const auto before = state();
  http_.asked.clear();
  const auto plan = sync();
  ASSERT_TRUE(plan) << plan.error().detail();
  EXPECT_FALSE(plan->changes_something());
  EXPECT_TRUE(http_.asked.empty());
  EXPECT_EQ(state(), before);
}

TEST_F(SyncFixture, CyclesAreLegal) {
  publish("root");
  ASSERT_TRUE(install_locked());
  new_home();
  const auto plan = sync();
  EXPECT_TRUE(plan) << plan.error().detail();
}

TEST_F(SyncFixture, AClosureThatLacksAMemberIsRefused) {
  publish("elsewhere");
  ASSERT_TRUE(install_locked());
  new_home();
  const auto plan = sync();
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code(), ErrorCode::lock_incomplete);
  EXPECT_NE(plan.error().detail().find("member@1.0.0 needs elsewhere@^1.0.0"), std::string::npos);
}

TEST_F(SyncFixture, OfflineNamesWhatIsMissing) {
  publish();
  ASSERT_TRUE(install_locked());
  new_home();
  offline_ = true;
  const auto plan = sync();
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code(), ErrorCode::offline_missing);
  EXPECT_NE(plan.error().detail().find("member 1.0.0"), std::string::npos) << plan.error().detail();
}

TEST_F(SyncFixture, ALockedScopeIsNeverTakenFromThePublicRegistry) {
  resolution_.registry = "npm";
  publish();
  ASSERT_TRUE(install_locked());
  std::string text = lock();
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"npm:root@^1", "npm:@acme/root@^1"},
                                                        {"source = \"npm\"", "source = \"npm:@acme\""},
                                                        {"package = \"root\"", "package = \"@acme/root\""},
                                                        {"node_modules/root", "node_modules/@acme/root"}})
    change_lock(from, to);
  new_home();
  const auto plan = sync();
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code(), ErrorCode::lock_mismatch);
  EXPECT_NE(plan.error().detail().find("no registry is named for @acme"), std::string::npos)
      << plan.error().detail();
}

// The same version with other bytes: both are shown.
TEST_F(SyncFixture, ALockedVersionWithOtherBytesIsRefused) {
  publish();
  ASSERT_TRUE(install_locked());
  const std::string text = lock();
  resolution_.artifacts.clear();
  std::get<registry::NodeClosure>(resolution_.content).packages.clear();
  publish("root");
  const auto plan = install_locked();
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code(), ErrorCode::digest_mismatch);
  EXPECT_NE(plan.error().detail().find("expected sha512-"), std::string::npos);
  EXPECT_NE(plan.error().detail().find("found sha512-"), std::string::npos);
  EXPECT_EQ(lock(), text);
}

TEST_F(SyncFixture, AnInstallationThatFailsLeavesTheLockFile) {
  publish();
  files_.set_fault(curupira::test::FaultyFileSystem::Fault::fails, 40);
  EXPECT_FALSE(install_locked());
  EXPECT_FALSE(fs::exists(folder_ / "project/curupira.lock"));
}

}  // namespace
}  // namespace curupira::installer::test
