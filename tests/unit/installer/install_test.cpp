#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using Action = PlannedExtension::Action;
using Fault = curupira::test::FaultyFileSystem::Fault;
using curupira::test::text_of;

class Install : public HomeFixture {
 protected:
  static std::string npx(const std::string& package) {
    return "type = \"npx\"\npackage = \"" + package + "\"\n";
  }
  /// An npm package that carries its manifest.
  registry::Reference npm_extension(const std::string& package, const std::string& name,
                                    const std::string& version) {
    return npm_package(package, version,
                       {{"curupira-extension.toml", manifest_text(name, version, npx(package))}});
  }
};

TEST_F(Install, ThePlanShowsFactsAndNothingIsVisibleBeforeCommit) {
  auto prepared = prepare({npm_extension("@acme/x", "acme-x", "1.2.3")});
  ASSERT_TRUE(prepared) << prepared.error().detail();
  const auto& planned = prepared->plan().extensions.at(0);
  EXPECT_EQ(planned.action, Action::add);
  EXPECT_EQ(planned.name, "acme-x");
  EXPECT_EQ(planned.reference, "npm:@acme/x@1.2.3");
  EXPECT_EQ(planned.source, "npm");
  EXPECT_EQ(planned.launch_type, "npx");
  ASSERT_EQ(planned.artifacts.size(), 1U);
  EXPECT_EQ(planned.artifacts[0].location, "x-1.2.3.tgz");
  EXPECT_FALSE(fs::exists(home_.extensions()));
  ASSERT_TRUE(std::move(*prepared).commit(observer_));
  EXPECT_EQ(receipt("acme-x").command.entry->text(), "node_modules/@acme/x/cli.js");
  EXPECT_EQ(receipt("acme-x").command.interpreter, manifest::ReceiptCommand::Interpreter::node);
}

TEST_F(Install, APlanThatIsDroppedLeavesNothing) {
  ASSERT_TRUE(prepare({npm_extension("x", "x", "1.0.0"), folder_extension("y")}));
  EXPECT_TRUE(state().empty());
}

// Whatever fails on the way, nothing is left; and an old version stays as it was.
TEST_F(Install, AnyOperationThatFailsLeavesTheOldState) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  const auto old_state = state();
  const auto reference = folder_extension("y", "2.0.0");
  const auto other = npm_extension("x", "x", "1.0.0");
  bool finished = false;
  for (int operation = 1; operation < 500 && !finished; ++operation) {
    files_.set_fault(Fault::fails, operation);
    const auto plan = install({reference, other});
    finished = !files_.hit();
    if (!plan) {
      EXPECT_EQ(state(), old_state) << "operation " << operation << ": " << plan.error().detail();
    }
    files_.set_fault(Fault::none, 0);
    if (!plan) continue;
    // Only tidying failed: all of the new is there. Back to the old state for the next round.
    EXPECT_EQ(receipt("y").version, "2.0.0");
    ASSERT_TRUE(remove_extension(home_, files_, "x", {}, observer_));
    ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
    forget_generations();
    EXPECT_EQ(state(), old_state) << "operation " << operation;
  }
  EXPECT_TRUE(finished);
}

TEST_F(Install, KilledAtAnyOperationTheNextCommandTidiesUp) {
  ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
  const auto old_state = state();
  const auto reference = folder_extension("y", "2.0.0");
  bool finished = false;
  for (int operation = 1; operation < 500 && !finished; ++operation) {
    files_.set_fault(Fault::crashes, operation);
    static_cast<void>(install({reference}));
    finished = !files_.hit();
    files_.set_fault(Fault::none, 0);
    ASSERT_TRUE(prepare({folder_extension("other")})) << "the next command, which changes nothing";
    if (receipt("y").version == "1.0.0") {
      EXPECT_EQ(state(), old_state) << "killed at operation " << operation;
      continue;
    }
    EXPECT_EQ(receipt("y").version, "2.0.0");
    ASSERT_TRUE(install({folder_extension("y", "1.0.0")}));
    forget_generations();
    EXPECT_EQ(state(), old_state) << "killed at operation " << operation;
  }
  EXPECT_TRUE(finished);
}

TEST_F(Install, TheSameAgainChangesNothing) {
  const auto reference = npm_extension("x", "x", "1.0.0");
  ASSERT_TRUE(install({reference}));
  const auto before = state();
  http_.asked.clear();
  observer_.events.clear();
  const auto plan = install({reference});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->extensions[0].action, Action::keep);
  EXPECT_FALSE(plan->changes_something());
  EXPECT_EQ(state(), before);
  EXPECT_TRUE(http_.asked.empty()) << "the store has it";
  EXPECT_EQ(observer_.events, (std::vector<std::string>{"fetch 1 in store 1"})) << "nothing is unpacked";
}

TEST_F(Install, AnotherVersionReplacesAndWhatOnlyTheOldUsedGoesWithItsGeneration) {
  ASSERT_TRUE(install({npm_extension("x", "x", "1.0.0")}));
  const auto old = receipt("x");
  const auto plan = install({npm_extension("x", "x", "2.0.0")});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->extensions[0].action, Action::replace);
  EXPECT_EQ(plan->extensions[0].installed_version, "1.0.0");
  EXPECT_EQ(receipt("x").version, "2.0.0");
  EXPECT_TRUE(fs::exists(home_.environments() / old.content.digest)) << "rollback needs it";
  forget_generations();
  EXPECT_FALSE(fs::exists(home_.environments() / old.content.digest));
  EXPECT_FALSE(fs::exists(home_.trees() / old.trees[0]));
}

TEST_F(Install, TheSameVersionWithOtherContentReplaces) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto reference = folder_extension("y");
  folder_.write("y-1.0.0/data.txt", "changed");
  const auto plan = install({reference});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->extensions[0].action, Action::replace);
}

TEST_F(Install, ANameOfAnotherPackageIsTaken) {
  ASSERT_TRUE(install({npm_extension("@acme/x", "x", "1.0.0")}));
  const auto before = state();
  EXPECT_EQ(refusal({npm_extension("@evil/x", "x", "9.0.0")}), ErrorCode::name_taken);
  EXPECT_EQ(refusal({folder_extension("x")}), ErrorCode::name_taken);
  EXPECT_EQ(state(), before);
}

TEST_F(Install, WhatAnotherProgramInstalledFromThePackageIsReplaced) {
  folder_.write("home/extensions/x/curupira-extension.toml", manifest_text("x", "0.9.0", npx("x")));
  const auto plan = install({npm_extension("x", "x", "1.0.0")});
  ASSERT_TRUE(plan) << plan.error().detail();
  EXPECT_EQ(plan->extensions[0].installed_version, "0.9.0");
}

TEST_F(Install, WhatAnotherProgramInstalledFromElsewhereIsTaken) {
  folder_.write("home/extensions/x/curupira-extension.toml", manifest_text("x", "0.9.0", npx("other")));
  EXPECT_EQ(refusal({npm_extension("x", "x", "1.0.0")}), ErrorCode::name_taken);
  folder_.write("home/extensions/z-folder/curupira-extension.toml", manifest_text("z", "0.9.0", npx("z")));
  EXPECT_EQ(refusal({npm_extension("z", "z", "1.0.0")}), ErrorCode::name_taken)
      << "two folders would have one name";
}

TEST_F(Install, AReceiptThatCannotBeReadIsReplaced) {
  ASSERT_TRUE(install({folder_extension("y")}));
  folder_.write("home/extensions/y/receipt.json", "{");
  const auto plan = install({folder_extension("y")});
  ASSERT_TRUE(plan) << plan.error().detail();
  EXPECT_EQ(receipt("y").version, "1.0.0");
  EXPECT_FALSE(diagnostics_.all.empty());
}

TEST_F(Install, OneBadReferenceAndNoneIsInstalled) {
  EXPECT_EQ(refusal({folder_extension("y"), registry::NpmReference{.name = "missing", .range = "latest"}}),
            ErrorCode::package_not_found);
  EXPECT_TRUE(state().empty());
}

TEST_F(Install, TwoReferencesOfOneName) {
  EXPECT_EQ(refusal({folder_extension("y", "1.0.0"), folder_extension("y", "2.0.0")}), ErrorCode::name_taken);
  EXPECT_TRUE(state().empty());
}

TEST_F(Install, ATarballOfAnotherPackage) {
  const auto tarball = npm_tarball({{"package.json", R"({"name": "other", "version": "1.0.0"})"}});
  EXPECT_EQ(refusal({npm_tarball_package("x", "1.0.0", tarball)}), ErrorCode::identity_mismatch);
  EXPECT_NE(detail_.find("other@1.0.0"), std::string::npos);
  EXPECT_TRUE(state().empty());
}

TEST_F(Install, AManifestOfAnotherVersion) {
  const auto reference =
      npm_package("x", "1.0.0", {{"curupira-extension.toml", manifest_text("x", "1.0.1", npx("x"))}});
  EXPECT_EQ(refusal({reference}), ErrorCode::manifest_mismatch);
  EXPECT_TRUE(state().empty());
}

TEST_F(Install, ANameThatNewPackagesMustNotHave) {
  EXPECT_EQ(refusal({npm_extension("x", "Upper", "1.0.0")}), ErrorCode::manifest_field);
}

TEST_F(Install, AHostileTarballLeavesNothing) {
  const auto tarball = gzip_of(tar_of(
      {{.name = "package/package.json", .contents = "{}"}, {.name = "package/../../evil", .contents = "x"}}));
  EXPECT_EQ(refusal({npm_tarball_package("x", "1.0.0", tarball)}), ErrorCode::archive_path);
  EXPECT_TRUE(state().empty());
}

TEST_F(Install, InstallScriptsNeverRun) {
  const auto reference = npm_package(
      "x", "1.0.0",
      {{"package.json",
        R"({"name": "x", "version": "1.0.0", "bin": "cli.js", "scripts": {"postinstall": "touch ran"}})"},
       {"curupira-extension.toml", manifest_text("x", "1.0.0", npx("x"))}});
  ASSERT_TRUE(install({reference}));
  EXPECT_TRUE(processes_.requests.empty());
}

TEST_F(Install, TheManifestIsKeptByteForByte) {
  const std::string text = "# a comment\n" + manifest_text("x", "1.0.0", npx("x"));
  ASSERT_TRUE(install({npm_package("x", "1.0.0", {{"curupira-extension.toml", text}})}));
  EXPECT_EQ(installed_manifest("x"), text);
}

}  // namespace
}  // namespace curupira::installer::test
