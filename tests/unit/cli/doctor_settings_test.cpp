#include "cli/doctor_settings.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using test::about;
using test::says;

class DoctorSettings : public testing::Test {
 protected:
  Findings examine(const std::string& text, const manifest::Discovered& installed = {}) {
    CollectedDiagnostics warnings;
    const auto settings =
        manifest::parse_settings(text, "/home/me/settings.toml", {"/home/me", "/home/me/c"}, warnings);
    return examine_settings(settings, warnings.all, "/home/me/settings.toml", false, installed, environment);
  }
  Findings examine_plugin(const std::string& table) { return examine(rest + "[plugins.acme]\n" + table); }

  const std::string rest =
      "[repositories.api]\nremote = \"https://git.example.org/acme/api.git\"\n"
      "[automations.one]\nschedule = \"0 9 * * 1\"\nrepository = \"api\"\nprompt = \"Look\"\n"
      "[agents.defaults]\nprofile = \"main\"\n"
      "[agents.profiles.main]\nprovider = \"claude\"\n";
  Environment environment{{"PATH", "/nowhere"}};
};

TEST_F(DoctorSettings, NoFileIsANoteUnlessItWasNamed) {
  const Result<manifest::Settings> none = fail(ErrorCode::settings_missing, "/f");
  EXPECT_EQ(about(examine_settings(none, {}, "/f", false, {}, environment), "file").level, Level::note);
  EXPECT_EQ(about(examine_settings(none, {}, "/f", true, {}, environment), "file").level, Level::problem);
}

TEST_F(DoctorSettings, AFileThatCannotBeReadSaysWhere) {
  const Finding finding = about(examine("[settings]\nx = = 1\n"), "file");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "settings.toml:2:"));
}

TEST_F(DoctorSettings, WarningsHaveTheirPlace) {
  const auto findings = examine("[settings]\nmax_active_task = 1\n" + rest);
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.level == Level::warning && says(finding, "/home/me/settings.toml:2:") &&
           !finding.remedy.empty();
  }));
}

TEST_F(DoctorSettings, APluginThatIsNotInstalledComesWithTheCommand) {
  const auto findings = examine_plugin("type = \"npx\"\nargs = [\"-y\", \"@acme/ext@^1.2\"]\n");
  const Finding finding = about(findings, "[plugins.acme]");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "curupira plugins install 'npm:@acme/ext@^1.2'"));
}

TEST_F(DoctorSettings, APythonPluginIsInstalledByPip) {
  const auto findings = examine_plugin("type = \"uvx\"\nargs = [\"acme-ext==0.1\"]\n");
  EXPECT_TRUE(says(about(findings, "[plugins.acme]"), "'pip:acme-ext==0.1'"));
}

TEST_F(DoctorSettings, AFallbackWithoutItsPackageManagerIsAProblem) {
  const auto findings = examine_plugin("type = \"npx\"\nargs = [\"acme\"]\nfallback = \"package-manager\"\n");
  EXPECT_EQ(about(findings, "[plugins.acme]").level, Level::problem);
  EXPECT_TRUE(says(about(findings, "[plugins.acme]"), "npx"));
}

TEST_F(DoctorSettings, WhatThePolicyDoesNotLetStartIsNamedWithItsRule) {
  manifest::Discovered installed;
  auto& extension = installed.extensions.emplace_back();
  extension.manifest.name = "acme";
  extension.manifest.permissions = {"network"};
  const std::string policy = "[policy]\npermissions = []\n";
  const std::string plugin = "[plugins.acme]\ntype = \"installed\"\nname = \"acme\"\n";
  const Finding wanted = about(examine(policy + rest + plugin, installed), "acme");
  EXPECT_EQ(wanted.level, Level::problem);
  EXPECT_TRUE(says(wanted, "settings.toml:2: permissions []")) << wanted.what;
  EXPECT_EQ(about(examine(policy + rest, installed), "acme").level, Level::warning);
  for (const Finding& finding : examine(rest + plugin, installed))
    EXPECT_NE(finding.subject, "acme") << "without a rule nothing is said";
}

TEST_F(DoctorSettings, TheAgentOfTheDefaultProfileIsNeeded) {
  const Finding finding = about(examine(rest), "[agents.profiles.main]");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "claude"));
}

TEST_F(DoctorSettings, AProfileThatNothingNamesIsAWarning) {
  const auto findings = examine(rest + "[agents.profiles.spare]\nprovider = \"gemini\"\n");
  EXPECT_EQ(about(findings, "[agents.profiles.spare]").level, Level::warning);
}

}  // namespace
}  // namespace curupira::cli
