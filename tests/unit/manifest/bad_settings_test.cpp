#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/settings_text.h"

namespace curupira::manifest::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// One table of valid settings, made wrong.
struct BadTable {
  const char* name;
  std::string SettingsText::*table;
  std::string text;
  ErrorCode code;
  const char* place;
  const char* words;
};

void PrintTo(const BadTable& bad, std::ostream* out) {
  *out << bad.name;
}

class BadSettings : public testing::TestWithParam<BadTable> {};

TEST_P(BadSettings, are_refused_with_place_and_field) {
  SettingsText text;
  text.*GetParam().table = GetParam().text;
  const auto settings = parse(text);
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code(), GetParam().code);
  EXPECT_THAT(settings.error().detail(),
              StartsWith(std::string("/etc/acme/settings.toml:") + GetParam().place));
  EXPECT_THAT(settings.error().detail(), HasSubstr(GetParam().words));
}

constexpr auto field_error = ErrorCode::settings_field;
constexpr auto reference_error = ErrorCode::settings_reference;
using S = SettingsText;

std::string name_of_row(const testing::TestParamInfo<BadTable>& row) {
  return row.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Settings, BadSettings,
    testing::Values(
        BadTable{"not_toml", &S::settings, "[settings\n", ErrorCode::settings_syntax, "1:", ""},
        BadTable{"duplicate", &S::settings, "[settings]\nlog_level = \"INFO\"\nlog_level = \"INFO\"\n",
                 ErrorCode::settings_syntax, "3:", "log_level"},
        BadTable{
            "string_for_number", &S::settings, "[settings]\nmax_active_tasks = \"x\"\n", field_error,
            "2:20: ",
            "field \"settings.max_active_tasks\": expected an integer from 0 to 4294967295, found \"x\""},
        BadTable{"negative", &S::settings, "[settings]\nmax_pending_tasks = -1\n", field_error,
                 "2:21: ", "found -1"},
        BadTable{"float", &S::settings, "[settings.polling]\nbatch_size = 1.0\n", field_error,
                 "2:14: ", "found 1.0"},
        BadTable{"log_level", &S::settings, "[settings]\nlog_level = \"WARN\"\n", field_error,
                 "2:13: ", "expected \"DEBUG\", \"INFO\", \"WARNING\", \"ERROR\" or \"CRITICAL\""},
        BadTable{"settings_no_table", &S::settings, "settings = 1\n", field_error,
                 "1:12: ", "expected a table, found 1"},
        BadTable{"environment_of_extensions", &S::settings,
                 "[settings.extensions]\nenvironment = \"inherits\"\n", field_error,
                 "2:15: ", "\"clean\" or \"inherit\" (did you mean \"inherit\"?)"},
        BadTable{"variable_name", &S::settings, "[environment.vars]\n1A = \"x\"\n", field_error,
                 "2:1: ", "name in [environment.vars]: expected the name of a variable"},
        BadTable{"variable_number", &S::settings, "[environment.vars]\nA = 1\n", field_error,
                 "2:5: ", "field \"environment.vars.A\": expected a string, found 1"},
        BadTable{"assistant", &S::rest, "[assistant]\nagent = 1\n", field_error,
                 "15:9: ", "\"assistant.agent\""}),
    name_of_row);

INSTANTIATE_TEST_SUITE_P(
    Repositories, BadSettings,
    testing::Values(
        BadTable{"none", &S::repositories, "", field_error,
                 "1:1: ", "field \"repositories\": expected a table, found nothing"},
        BadTable{"no_entry", &S::repositories, "[repositories]\n", field_error,
                 "1:", "expected at least one table"},
        BadTable{"remote", &S::repositories, "[repositories.api]\nremot = \"x\"\n", field_error, "1:1: ",
                 "\"repositories.api.remote\": expected a string, found nothing; line 2 has \"remot\""},
        BadTable{"alias", &S::repositories, "[repositories.\"a b\"]\nremote = \"x\"\n", field_error,
                 "1:15: ", "name in [repositories]: expected letters, digits, '_' and '-', found \"a b\""},
        BadTable{"script_absolute", &S::repositories,
                 "[repositories.api]\nremote = \"x\"\nsetup_script = \"/x\"\n", field_error,
                 "3:16: ", "a relative path without \"..\", found \"/x\""},
        BadTable{"script_leaves", &S::repositories,
                 "[repositories.api]\nremote = \"x\"\nsetup_script = \"a/../../x\"\n", field_error,
                 "3:16: ", "a relative path without \"..\""}),
    name_of_row);

INSTANTIATE_TEST_SUITE_P(
    Agents, BadSettings,
    testing::Values(
        BadTable{"none", &S::agents, "", field_error, "1:1: ", "field \"agents\""},
        BadTable{"no_profiles", &S::agents, "[agents.defaults]\nprofile = \"oc\"\n", field_error,
                 "3:", "\"agents.profiles\""},
        BadTable{"no_default", &S::agents, "[agents.defaults]\n[agents.profiles.oc]\nprovider = \"x\"\n",
                 field_error, "3:1: ", "field \"agents.defaults.profile\": expected a string, found nothing"},
        BadTable{
            "unknown_default", &S::agents,
            "[agents.defaults]\nprofile = \"ox\"\n[agents.profiles.oc]\nprovider = \"x\"\n", reference_error,
            "4:11: ", "a name in [agents.profiles] (defined: \"oc\") (did you mean \"oc\"?), found \"ox\""},
        BadTable{"no_provider", &S::agents,
                 "[agents.defaults]\nprofile = \"oc\"\n[agents.profiles.oc]\nmodel = \"x\"\n", field_error,
                 "5:1: ", "field \"agents.profiles.oc.provider\""}),
    name_of_row);

INSTANTIATE_TEST_SUITE_P(
    Plugins, BadSettings,
    testing::Values(BadTable{"no_type", &S::plugins, "[plugins.acme]\nargs = [\"x\"]\n", field_error,
                             "7:1: ", "\"plugins.acme.type\""},
                    BadTable{"unknown_type", &S::plugins, "[plugins.acme]\ntype = \"executable\"\n",
                             field_error,
                             "8:8: ", "expected \"npx\", \"uvx\" or \"installed\", found \"executable\""},
                    BadTable{"no_args", &S::plugins, "[plugins.acme]\ntype = \"npx\"\n", field_error,
                             "7:1: ", "\"plugins.acme.args\": expected an array with at least one string"},
                    BadTable{"empty_args", &S::plugins, "[plugins.acme]\ntype = \"uvx\"\nargs = []\n",
                             field_error, "9:8: ", "at least one string, found an empty array"},
                    BadTable{"number_in_args", &S::plugins, "[plugins.acme]\ntype = \"npx\"\nargs = [1]\n",
                             field_error, "9:9: ", "\"plugins.acme.args[0]\": expected a string, found 1"},
                    BadTable{"number_in_tools", &S::plugins,
                             "[plugins.acme]\ntype = \"npx\"\nargs = [\"x\"]\ntools = [1]\n", field_error,
                             "10:10: ", "\"plugins.acme.tools[0]\""},
                    BadTable{"env_name", &S::plugins,
                             "[plugins.acme]\ntype = \"npx\"\nargs = [\"x\"]\nenv = [\"A=1\"]\n", field_error,
                             "10:8: ", "the name of a variable"},
                    BadTable{"fallback", &S::plugins,
                             "[plugins.acme]\ntype = \"npx\"\nargs = [\"x\"]\nfallback = \"npm\"\n",
                             field_error, "10:12: ", "expected \"package-manager\", found \"npm\""},
                    BadTable{"installed_without_name", &S::plugins, "[plugins.acme]\ntype = \"installed\"\n",
                             field_error, "7:1: ", "\"plugins.acme.name\""},
                    BadTable{"alias", &S::plugins, "[plugins.\"a.b\"]\ntype = \"npx\"\nargs = [\"x\"]\n",
                             field_error, "7:10: ", "found \"a.b\""},
                    BadTable{"no_table", &S::plugins, "[plugins]\nacme = \"x\"\n", field_error,
                             "8:8: ", "field \"plugins.acme\": expected a table"}),
    name_of_row);

/// An automation `one` whose header stands in line 10.
std::string one(const std::string& lines) {
  return "[automations.one]\n" + lines;
}
constexpr const char* place_and_prompt = "repository = \"api\"\nprompt = \"p\"\n";

INSTANTIATE_TEST_SUITE_P(
    Automations, BadSettings,
    testing::Values(
        BadTable{"none", &S::automations, "", field_error, "1:1: ", "field \"automations\""},
        BadTable{"no_entry", &S::automations, "[automations]\n", field_error, "10:", "at least one table"},
        BadTable{"name", &S::automations, "[automations.\"t w\"]\n" + std::string(place_and_prompt),
                 field_error, "10:14: ", "found \"t w\""},
        BadTable{"no_repository", &S::automations, one("trigger_type = \"acme/items\"\nprompt = \"p\"\n"),
                 field_error, "10:1: ", "\"automations.one.repository\""},
        BadTable{"no_prompt", &S::automations, one("trigger_type = \"acme/items\"\nrepository = \"api\"\n"),
                 field_error, "10:1: ", "\"automations.one.prompt\""},
        BadTable{
            "no_trigger", &S::automations, one(place_and_prompt), field_error, "10:1: ",
            "\"automations.one.trigger_type\": expected \"<plugin>/<trigger>\", or \"cron\" with a schedule"},
        BadTable{"unknown_repository", &S::automations,
                 one("trigger_type = \"acme/items\"\nrepository = \"apis\"\nprompt = \"p\"\n"),
                 reference_error, "12:14: ",
                 "an alias in [repositories] (defined: \"api\") (did you mean \"api\"?), found \"apis\""},
        BadTable{"unknown_profile", &S::automations,
                 one("trigger_type = \"acme/items\"\nprofile = \"zork\"\n" + std::string(place_and_prompt)),
                 reference_error, "12:11: ", "a name in [agents.profiles] (defined: \"oc\"), found \"zork\""},
        BadTable{"unknown_plugin", &S::automations,
                 one("trigger_type = \"acne/items\"\n" + std::string(place_and_prompt)), reference_error,
                 "11:16: ", "a plugin in [plugins] (defined: \"acme\") (did you mean \"acme\"?)"},
        BadTable{"local_trigger", &S::automations,
                 one("trigger_type = \"items\"\n" + std::string(place_and_prompt)), reference_error,
                 "11:16: ", "expected \"<plugin>/<trigger>\" or \"cron\", found \"items\""},
        BadTable{"cron_without_schedule", &S::automations,
                 one("trigger_type = \"cron\"\n" + std::string(place_and_prompt)), field_error,
                 "10:1: ", "\"automations.one.schedule\": expected a cron expression of five fields"},
        BadTable{"cron_with_six_fields", &S::automations,
                 one("schedule = \"* * * * * *\"\n" + std::string(place_and_prompt)), field_error,
                 "11:12: ", "found \"* * * * * *\""},
        BadTable{"checkout_number", &S::automations,
                 one("trigger_type = \"acme/items\"\ncheckout = 1\n" + std::string(place_and_prompt)),
                 field_error, "12:12: ", "expected a string, found 1"}),
    name_of_row);

TEST(BadSettingsText, too_large_is_said) {
  SettingsText text;
  text.rest = "# " + std::string(max_settings_bytes, 'x');
  const auto settings = parse(text);
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code(), ErrorCode::settings_syntax);
}

}  // namespace
}  // namespace curupira::manifest::test
