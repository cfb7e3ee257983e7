#include "runtime/automation_check.h"

#include <gmock/gmock.h>

#include "manifest/running_marker.h"
#include "tests/unit/runtime/runtime_fixture.h"

namespace curupira::runtime {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AutomationCheck : public RuntimeTest {};

TEST_F(AutomationCheck, AcceptsWhatTheExtensionAccepts) {
  install_vice();
  use_settings(automation("one", "Do ${title} of {{ number }}"));
  EXPECT_THAT(check(), IsEmpty());
  EXPECT_THAT(logged_methods(log),
              ElementsAre("initialize", "describe", "trigger/schema", "trigger/validate", "shutdown"));
}

TEST_F(AutomationCheck, SendsTheWholeTableAsItIsWritten) {
  install_vice();
  use_settings(automation("one", "Do ${title}",
                          "label = \"é\"\nf = 1.5\nlist = [\"a\", 1]\n[automations.one.sub]\nk = true\n"));
  EXPECT_THAT(check(), IsEmpty());
  for (const auto& line : log_lines(log)) {
    if (const auto* method = line.find_string("method"); method == nullptr || *method != "trigger/validate")
      continue;
    const auto* params = line.find("params");
    EXPECT_EQ(*params->find_string("trigger_type"), "items");
    EXPECT_EQ(json::write(*params->find("configuration")),
              R"({"trigger_type":"acme/items","repository":"api","prompt":"Do ${title}","label":"é","f":1.5,)"
              R"("list":["a",1],"sub":{"k":true}})");
  }
}

// docker/mcp-gateway#318: one process, however many automations and aliases use it.
TEST_F(AutomationCheck, StartsOneProcessForAllAutomationsAndAliases) {
  install_vice();
  use_settings(
      automation("one", "a") + automation("two", "b") +
          "[automations.three]\ntrigger_type = \"other/items\"\nrepository = \"api\"\nprompt = \"c\"\n",
      "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\n[plugins.other]\ntype = \"installed\"\nname = "
      "\"vice\"\n");
  EXPECT_THAT(check(), IsEmpty());
  EXPECT_EQ(logged_starts(log), 1u);
}

TEST_F(AutomationCheck, StartsAnotherProcessForAnotherEnvironment) {
  environment.set("TOKEN", "t");
  install_vice();
  use_settings(
      automation("one", "a") +
          "[automations.two]\ntrigger_type = \"other/items\"\nrepository = \"api\"\nprompt = \"c\"\n",
      "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\n[plugins.other]\ntype = \"installed\"\nname = "
      "\"vice\"\nenv = [\"TOKEN\"]\n");
  EXPECT_THAT(check(), IsEmpty());
  EXPECT_EQ(logged_starts(log), 2u);
}

// VeriTeknik/pluggedin-app#209
TEST_F(AutomationCheck, GivesTheExtensionACleanEnvironment) {
  environment.set("GITHUB_TOKEN", "secret");
  install_vice();
  use_settings(automation("one", "a"), "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\n",
               "[environment.vars]\nMODE = \"test\"\n");
  EXPECT_THAT(check(), IsEmpty());
  const auto lines = log_lines(log);
  ASSERT_FALSE(lines.empty());
  const auto* given = lines.front().find("environment");
  EXPECT_EQ(given->find("GITHUB_TOKEN"), nullptr);
  EXPECT_EQ(*given->find_string("MODE"), "test");
}

TEST_F(AutomationCheck, ReportsEveryAutomationThatIsRefused) {
  install_vice();
  use_settings(automation("one", "a", "label = \"bad\"\n") + automation("two", "b") +
               automation("three", "c", "label = \"bad\"\n"));
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0].code(), ErrorCode::trigger_refused);
  EXPECT_EQ(errors[0].detail(), "vice 1.2.3 says: label is bad");
  EXPECT_THAT(errors[0].doing(),
              ElementsAre(AllOf(HasSubstr("automation \"one\""), HasSubstr("settings.toml:"))));
  EXPECT_THAT(errors[1].doing(), ElementsAre(HasSubstr("automation \"three\"")));
}

TEST_F(AutomationCheck, NamesAnUnknownTriggerWithTheNearest) {
  install_vice();
  use_settings("[automations.one]\ntrigger_type = \"acme/itms\"\nrepository = \"api\"\nprompt = \"a\"\n");
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code(), ErrorCode::trigger_unknown);
  EXPECT_THAT(errors[0].detail(),
              HasSubstr("no trigger \"itms\" (did you mean \"items\"?); it has items, other"));
}

TEST_F(AutomationCheck, KeepsTriggersOutThatToolsExclude) {
  install_vice();
  use_settings(automation("one", "a"),
               "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\ntools = [\"*\", \"!items\"]\n");
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code(), ErrorCode::trigger_unknown);
  EXPECT_THAT(errors[0].detail(), HasSubstr("`tools` of [plugins.acme] leaves it out: *, !items"));
}

TEST_F(AutomationCheck, FindsMistakesInPrompts) {
  install_vice();
  use_settings(automation("one", "{{ titel }}") + automation("two", "{% if title %}") +
               automation("three", "${titel}"));
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(3));
  for (const auto& error : errors)
    EXPECT_EQ(error.code(), ErrorCode::prompt_template);
  EXPECT_THAT(errors[0].detail(), HasSubstr("did you mean \"title\"?"));
  EXPECT_THAT(errors[1].detail(), HasSubstr("has no {% endif %}"));
}

TEST_F(AutomationCheck, LooksAtThePromptOfCronOnly) {
  use_settings(
      "[automations.nightly]\nschedule = \"0 3 * * *\"\nrepository = \"api\"\nprompt = \"{{ title }}\"\n");
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0].detail(), HasSubstr("\"title\""));
}

TEST_F(AutomationCheck, AnExtensionThatFailsHidesNoOther) {
  installed.extensions = {extension("broken", {"--vice", "pollution"}), extension("vice")};
  use_settings("[automations.one]\ntrigger_type = \"broken/items\"\nrepository = \"api\"\nprompt = \"a\"\n" +
                   automation("two", "a", "label = \"bad\"\n"),
               "[plugins.broken]\ntype = \"installed\"\nname = \"broken\"\n[plugins.acme]\ntype = "
               "\"installed\"\nname = "
               "\"vice\"\n");
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0].code(), ErrorCode::extension_stdout);
  EXPECT_EQ(errors[1].code(), ErrorCode::trigger_refused);
}

TEST_F(AutomationCheck, AFailedStartIsNotTriedAgain) {
  install_vice({"--vice", "version-3"});
  use_settings(automation("one", "a") + automation("two", "a"));
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0].code(), ErrorCode::extension_version);
  EXPECT_EQ(errors[1].code(), ErrorCode::extension_version);
  EXPECT_THAT(errors[1].detail(), HasSubstr("failed earlier in this command"));
  EXPECT_EQ(logged_starts(log), 1u);
}

TEST_F(AutomationCheck, ADeadProcessIsNotStartedAgain) {
  install_vice({"--vice", "dies", "--at", "trigger/validate"});
  use_settings(automation("one", "a") + automation("two", "a"));
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_THAT(errors[0].detail(), HasSubstr("exit code 7"));
  EXPECT_THAT(errors[1].detail(), HasSubstr("failed earlier in this command"));
  EXPECT_EQ(logged_starts(log), 1u);
}

TEST_F(AutomationCheck, SaysHowToInstallWhatIsMissing) {
  use_settings(automation("one", "a"), "[plugins.acme]\ntype = \"npx\"\nargs = [\"-y\", \"@acme/ext@^1\"]\n");
  const auto errors = check();
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code(), ErrorCode::plugin_not_installed);
  EXPECT_THAT(errors[0].help(), HasSubstr("`curupira plugins install npm:@acme/ext`"));
}

}  // namespace
}  // namespace curupira::runtime
