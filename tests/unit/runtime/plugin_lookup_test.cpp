#include "runtime/plugin_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"

namespace curupira::runtime {
namespace {

using manifest::Plugin;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Plugin plugin_of(Plugin::Type type, std::vector<std::string> args) {
  Plugin plugin;
  plugin.alias = "a";
  plugin.type = type;
  plugin.args = std::move(args);
  return plugin;
}

class PluginLookup : public testing::Test {
 protected:
  std::string program(const std::string& name) {
    const auto file = folder.write("bin/" + name, "#!/nonexistent\n");
    ::chmod(file.c_str(), 0755);
    return file.string();
  }

  /// An installed extension whose program is looked up on PATH.
  manifest::InstalledExtension extension(manifest::Launch launch) {
    manifest::InstalledExtension installed_extension;
    installed_extension.manifest.name = "acme";
    installed_extension.manifest.version = "1.0.0";
    installed_extension.manifest.launch = std::move(launch);
    installed_extension.folder = folder.path();
    installed_extension.receipt.emplace();
    installed_extension.receipt->name = "acme";
    installed_extension.receipt->command.path_program = "acme-program";
    installed_extension.receipt->command.args = {"serve"};
    return installed_extension;
  }

  Result<PluginTarget> find(const Plugin& plugin) {
    return find_plugin_target(plugin, policy, installed, home, environment, diagnostics);
  }

  test::TemporaryFolder folder;
  HomeLayout home{folder / "home"};
  Environment environment{{{"PATH", (folder / "bin").string()}}};
  manifest::Policy policy;
  manifest::Discovered installed;
  CollectedDiagnostics diagnostics;
};

TEST_F(PluginLookup, FindsTheInstalledCopyOfAnNpmPackage) {
  const auto path = program("acme-program");
  installed.extensions.push_back(extension(manifest::NpxLaunch{.package = "@acme/ext"}));
  const auto target = find(plugin_of(Plugin::Type::npx, {"-y", "@acme/ext@^1"}));
  ASSERT_TRUE(target) << target.error().summary();
  EXPECT_EQ(target->identity.name, "acme");
  EXPECT_EQ(target->identity.version, "1.0.0");
  EXPECT_THAT(target->command.argv, ElementsAre(path, "serve"));
  EXPECT_EQ(target->receipt, &*installed.extensions[0].receipt);
}

TEST_F(PluginLookup, FindsAPythonPackageByAnySpelling) {
  program("acme-program");
  installed.extensions.push_back(
      extension(manifest::UvxLaunch{.package = "Acme_Ext", .executable = "acme-ext"}));
  EXPECT_TRUE(find(plugin_of(Plugin::Type::uvx, {"--from", "acme.ext==1.0", "acme-ext"})));
}

TEST_F(PluginLookup, UsesTheSettingsArgumentsOfTheProgram) {
  const auto path = program("acme-program");
  installed.extensions.push_back(
      extension(manifest::UvxLaunch{.package = "acme-ext", .executable = "acme-run"}));
  const auto target = find(plugin_of(Plugin::Type::uvx, {"--from", "acme-ext", "acme-run", "--fast"}));
  ASSERT_TRUE(target) << target.error().summary();
  EXPECT_THAT(target->command.argv, ElementsAre(path, "--fast"));
}

TEST_F(PluginLookup, SaysHowToInstall) {
  const auto npm = find(plugin_of(Plugin::Type::npx, {"-y", "@acme/ext@^1"}));
  ASSERT_FALSE(npm);
  EXPECT_EQ(npm.error().code(), ErrorCode::plugin_not_installed);
  EXPECT_THAT(npm.error().help(), HasSubstr("`curupira plugins sync`"));
  EXPECT_THAT(npm.error().help(), HasSubstr("`curupira plugins install npm:@acme/ext`"));
  const auto pip = find(plugin_of(Plugin::Type::uvx, {"--from", "acme==1", "acme-ext"}));
  ASSERT_FALSE(pip);
  EXPECT_THAT(pip.error().help(), HasSubstr("`curupira plugins install pip:acme`"));
}

TEST_F(PluginLookup, OfAnUnknownNameNamesTheNearest) {
  installed.extensions.push_back(extension(manifest::NpxLaunch{.package = "x"}));
  Plugin plugin = plugin_of(Plugin::Type::installed, {});
  plugin.extension_name = "acne";
  const auto target = find(plugin);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code(), ErrorCode::plugin_not_installed);
  EXPECT_THAT(target.error().detail(), HasSubstr("did you mean \"acme\"?"));
}

TEST_F(PluginLookup, FallsBackToThePackageManagerWhereAllowed) {
  const auto npx = program("npx");
  Plugin plugin = plugin_of(Plugin::Type::npx, {"-y", "@acme/ext", "--x"});
  plugin.package_manager_fallback = true;
  const auto target = find(plugin);
  ASSERT_TRUE(target) << target.error().summary();
  EXPECT_THAT(target->command.argv, ElementsAre(npx, "-y", "@acme/ext", "--x"));
  EXPECT_EQ(target->receipt, nullptr);
  ASSERT_THAT(diagnostics.all, SizeIs(1));
  EXPECT_THAT(diagnostics.all[0].text, HasSubstr("unverified"));
}

TEST_F(PluginLookup, NeedsThePackageManagerOnPathForThat) {
  Plugin plugin = plugin_of(Plugin::Type::uvx, {"acme"});
  plugin.package_manager_fallback = true;
  const auto target = find(plugin);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code(), ErrorCode::tool_missing);
  EXPECT_THAT(target.error().detail(), HasSubstr("uvx"));
}

TEST(ExtensionArguments, AreWhatStandsBehindTheProgram) {
  const auto npx = [](std::vector<std::string> args) {
    return extension_arguments(plugin_of(Plugin::Type::npx, std::move(args)), "ext");
  };
  EXPECT_THAT(npx({"-y", "@acme/ext"}), IsEmpty());
  EXPECT_THAT(npx({"-y", "@acme/ext@1", "a", "-b"}), ElementsAre("a", "-b"));
  EXPECT_THAT(npx({"-y", "@acme/ext", "--", "a"}), ElementsAre("a"));
  EXPECT_THAT(npx({"-p", "@acme/ext", "ext", "a"}), ElementsAre("a"));
}

TEST(ExtensionArguments, OfAnotherProgramAreNotTaken) {
  const auto uvx = [](std::vector<std::string> args) {
    return extension_arguments(plugin_of(Plugin::Type::uvx, std::move(args)), "acme-run");
  };
  EXPECT_THAT(uvx({"--from", "acme-ext==1", "python", "-m", "acme"}), IsEmpty());
  EXPECT_THAT(uvx({"--from", "acme-ext[all]", "acme-run", "a"}), ElementsAre("a"));
  EXPECT_THAT(uvx({"acme-ext==1", "a"}), ElementsAre("a"));
}

}  // namespace
}  // namespace curupira::runtime
