#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/settings_text.h"

namespace curupira::manifest::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(SettingsParser, has_the_defaults_of_the_specification) {
  const auto settings = parse(SettingsText{});
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_EQ(settings->max_active_tasks, 1u);
  EXPECT_EQ(settings->max_pending_tasks, 100u);
  EXPECT_EQ(settings->workspace_dir, "/home/me/.curupira/workspaces");
  EXPECT_EQ(settings->state_db_path, "/home/me/.curupira/state.sqlite3");
  EXPECT_FALSE(settings->otlp_endpoint);
  EXPECT_EQ(settings->log_level, LogLevel::info);
  EXPECT_EQ(settings->task_timeout_minutes, 20u);
  EXPECT_EQ(settings->max_output_bytes, 1'000'000u);
  EXPECT_EQ(settings->polling.poll_interval_seconds, 30u);
  EXPECT_EQ(settings->polling.batch_size, 100u);
  EXPECT_EQ(settings->polling.cron_poll_interval_seconds, 1u);
  EXPECT_EQ(settings->timezone, "UTC");
  EXPECT_FALSE(settings->extensions.inherit_environment);
}

TEST(SettingsParser, reads_the_settings_tables) {
  SettingsText text;
  text.settings =
      "[settings]\nmax_active_tasks = 3\nmax_pending_tasks = 7\notlp_endpoint = \"http://otlp.example.org\"\n"
      "log_level = \"DEBUG\"\ntask_timeout_minutes = 5\nmax_output_bytes = 2000\n"
      "[settings.polling]\npoll_interval_seconds = 60\nbatch_size = 10\ncron_poll_interval_seconds = 2\n"
      "[settings.extensions]\nenvironment = \"inherit\"\n"
      "[environment.vars]\nA = \"1\"\n_b2 = \"${HOME} stays\"\n";
  CollectedDiagnostics diagnostics;
  const auto settings = parse(text, diagnostics);
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_EQ(settings->max_active_tasks, 3u);
  EXPECT_EQ(settings->max_pending_tasks, 7u);
  EXPECT_EQ(settings->otlp_endpoint, "http://otlp.example.org");
  EXPECT_EQ(settings->log_level, LogLevel::debug);
  EXPECT_EQ(settings->task_timeout_minutes, 5u);
  EXPECT_EQ(settings->max_output_bytes, 2000u);
  EXPECT_EQ(settings->polling.poll_interval_seconds, 60u);
  EXPECT_EQ(settings->polling.batch_size, 10u);
  EXPECT_TRUE(settings->extensions.inherit_environment);
  EXPECT_THAT(settings->environment_vars,
              ElementsAre(std::pair("A", "1"), std::pair("_b2", "${HOME} stays")));
  EXPECT_THAT(diagnostics.all, IsEmpty());
}

TEST(SettingsParser, resolves_relative_paths_from_the_folder_of_the_file) {
  SettingsText text;
  text.settings = "[settings]\nworkspace_dir = \"../work\"\nstate_db_path = \"/var/state\"\n";
  text.repositories += "path = \"src/api\"\nsetup_script = \"./scripts/setup.sh\"\n";
  const auto settings = parse(text);
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_EQ(settings->workspace_dir, "/etc/work");
  EXPECT_EQ(settings->state_db_path, "/var/state");
  EXPECT_EQ(settings->repositories[0].path, "/etc/acme/src/api");
  EXPECT_EQ(settings->repositories[0].setup_script, "./scripts/setup.sh");
}

TEST(SettingsParser, expands_the_users_home) {
  SettingsText text;
  text.settings = "[settings]\nworkspace_dir = \"~/work\"\nstate_db_path = \"~\"\n";
  text.repositories += "path = \"~/src/api\"\n";
  const auto settings = parse(text);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->workspace_dir, "/home/me/work");
  EXPECT_EQ(settings->state_db_path, "/home/me");
  EXPECT_EQ(settings->repositories[0].path, "/home/me/src/api");
}

TEST(SettingsParser, reads_the_plugins) {
  SettingsText text;
  text.plugins +=
      "tools = [\"*\", \"!internal-*\"]\nenv = [\"GITHUB_TOKEN\"]\nfallback = \"package-manager\"\n"
      "[plugins.py]\ntype = \"uvx\"\nargs = [\"acme\"]\n"
      "[plugins.ours]\ntype = \"installed\"\nname = \"acme-ext\"\n";
  const auto settings = parse(text);
  ASSERT_TRUE(settings) << settings.error().detail();
  ASSERT_THAT(settings->plugins, SizeIs(3));
  EXPECT_EQ(settings->plugins[0].type, Plugin::Type::npx);
  EXPECT_THAT(settings->plugins[0].args, ElementsAre("-y", "@acme/ext"));
  EXPECT_THAT(settings->plugins[0].tools, ElementsAre("*", "!internal-*"));
  EXPECT_THAT(settings->plugins[0].env, ElementsAre("GITHUB_TOKEN"));
  EXPECT_TRUE(settings->plugins[0].package_manager_fallback);
  EXPECT_EQ(settings->plugins[0].position, (TextPosition{7, 10}));
  EXPECT_EQ(settings->find_plugin("py")->type, Plugin::Type::uvx);
  EXPECT_FALSE(settings->find_plugin("py")->package_manager_fallback);
  EXPECT_EQ(settings->find_plugin("ours")->extension_name, "acme-ext");
  EXPECT_EQ(settings->find_plugin("zork"), nullptr);
}

TEST(SettingsParser, keeps_all_options_of_a_profile) {
  SettingsText text;
  text.agents += "model = \"m\"\nauto = true\n[agents.profiles.oc.deep]\nn = 1\n";
  const auto settings = parse(text);
  ASSERT_TRUE(settings) << settings.error().detail();
  const AgentProfile* profile = settings->find_profile("oc");
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->provider, "opencode");
  EXPECT_EQ(json::write(profile->options), R"({"model":"m","auto":true,"deep":{"n":1}})");
}

TEST(SettingsParser, keeps_the_automations_and_their_fields_in_the_order_of_the_file) {
  SettingsText text;
  text.automations =
      "[automations.zed]\nprompt = \"p\"\ntrigger_type = \"acme/items\"\nlabels = [\"b\", \"a\"]\n"
      "since = 2024-01-02\nrepository = \"api\"\ncheckout = \"main\"\nprofile = \"oc\"\n"
      "[automations.zed.sub]\nk = 1.5\n"
      "[automations.alpha]\ntrigger_type = \"acme/other\"\nrepository = \"api\"\nprompt = \"q\"\n";
  const auto settings = parse(text);
  ASSERT_TRUE(settings) << settings.error().detail();
  ASSERT_THAT(settings->automations, SizeIs(2));
  const Automation& zed = settings->automations[0];
  EXPECT_EQ(zed.name, "zed");
  EXPECT_EQ(json::write(zed.table),
            R"({"prompt":"p","trigger_type":"acme/items","labels":["b","a"],"since":"2024-01-02",)"
            R"("repository":"api","checkout":"main","profile":"oc","sub":{"k":1.5}})");
  EXPECT_EQ(zed.checkout, Automation::Checkout::main);
  EXPECT_EQ(zed.profile, "oc");
  EXPECT_EQ(zed.plugin_alias(), "acme");
  EXPECT_EQ(zed.local_trigger(), "items");
  EXPECT_EQ(settings->automations[1].name, "alpha");
  EXPECT_EQ(settings->automations[1].checkout, Automation::Checkout::worktree);
}

TEST(SettingsParser, an_automation_with_a_schedule_alone_is_cron) {
  SettingsText text;
  text.automations =
      "[automations.a]\nschedule = \"*/5 * * * *\"\nrepository = \"api\"\nprompt = \"p\"\n"
      "[automations.b]\ntrigger_type = \"cron\"\nschedule = \"30 7 * * 1-5\"\nrepository = \"api\"\nprompt = "
      "\"p\"\n";
  text.plugins = "";
  const auto settings = parse(text);
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_TRUE(settings->automations[0].is_cron());
  EXPECT_TRUE(settings->automations[1].is_cron());
  EXPECT_EQ(settings->automations[0].plugin_alias(), "");
}

TEST(SettingsParser, registries_stand_in_the_order_of_the_file) {
  SettingsText text;
  text.rest =
      "[registries.zeta]\nurl = \"sub/registry\"\n"
      "[registries.acme-1]\nurl = \"https://example.org/r\"\nmirrors = [\"~/r\", \"oci://example.org/r\"]\n"
      "root_fingerprint = \"sha256:" +
      std::string(64, '5') + "\"\n";
  const auto settings = parse(text);
  ASSERT_TRUE(settings) << settings.error().detail();
  ASSERT_EQ(settings->registries.size(), 2u);
  EXPECT_EQ(settings->registries[0].url, "/etc/acme/sub/registry");
  EXPECT_FALSE(settings->registries[0].root_fingerprint);
  EXPECT_EQ(settings->registries[1].name, "acme-1");
  EXPECT_THAT(settings->registries[1].mirrors, ElementsAre("/home/me/r", "oci://example.org/r"));
  EXPECT_EQ(root_fingerprint_text(*settings->registries[1].root_fingerprint),
            "sha256:" + std::string(64, '5'));
}

TEST(SettingsParser, installing_needs_no_automations) {
  const std::string_view text = "[registries.acme]\nurl = \"x\"\n";
  CollectedDiagnostics ignored;
  const auto read = [&](std::string_view settings, SettingsUse use) {
    return parse_settings(settings, "/etc/acme/settings.toml", {}, ignored, use);
  };
  EXPECT_TRUE(read(text, SettingsUse::installing));
  EXPECT_FALSE(read(text, SettingsUse::running));
  // Half of what running needs is a mistake, whatever it is read for.
  EXPECT_FALSE(read("[repositories.api]\nremote = \"x\"\n", SettingsUse::installing));
}

// What the existing host accepts without a word (black box, 0.4.0), this program loads too.
TEST(SettingsOfTheExistingHost, unknown_fields_are_warned_about) {
  SettingsText text;
  text.settings = "[settings]\nmax_active_task = 2\n[settings.polling]\nzork = 1\n[environment]\nZ = \"1\"\n";
  text.repositories += "branch = \"x\"\n";
  text.plugins += "tool = []\n";
  text.rest = "[assistant]\nagent = \"oc\"\nzork = 1\n[telemetry]\na = 1\n";
  CollectedDiagnostics diagnostics;
  const auto settings = parse(text, diagnostics);
  ASSERT_TRUE(settings) << settings.error().detail();
  std::vector<std::string> texts;
  for (const auto& diagnostic : diagnostics.all) {
    EXPECT_EQ(diagnostic.kind, Diagnostic::Kind::warning);
    EXPECT_EQ(diagnostic.file, "/etc/acme/settings.toml");
    texts.push_back(diagnostic.text);
  }
  EXPECT_THAT(
      texts, ElementsAre(
                 "unknown field \"settings.polling.zork\" is ignored",
                 "unknown field \"settings.max_active_task\" is ignored (did you mean \"max_active_tasks\"?)",
                 "unknown field \"environment.Z\" is ignored",
                 "unknown field \"repositories.api.branch\" is ignored",
                 "unknown field \"plugins.acme.tool\" is ignored (did you mean \"tools\"?)",
                 "unknown field \"assistant.zork\" is ignored", "unknown table \"telemetry\" is ignored"));
}

struct Accepted {
  const char* name;
  std::string SettingsText::*table;
  const char* text;
};
void PrintTo(const Accepted& one, std::ostream* out) {
  *out << one.name;
}

class SettingsThatTheExistingHostAccepts : public testing::TestWithParam<Accepted> {};
TEST_P(SettingsThatTheExistingHostAccepts, load) {
  SettingsText text;
  text.*GetParam().table += GetParam().text;
  const auto settings = parse(text);
  EXPECT_TRUE(settings) << settings.error().detail();
}

using S = SettingsText;
INSTANTIATE_TEST_SUITE_P(
    Each, SettingsThatTheExistingHostAccepts,
    testing::Values(
        Accepted{"no_active_tasks", &S::settings, "[settings]\nmax_active_tasks = 0\n"},
        Accepted{"no_output", &S::settings, "[settings]\nmax_output_bytes = 0\ntask_timeout_minutes = 0\n"},
        Accepted{"huge_output", &S::settings, "[settings]\nmax_output_bytes = 9223372036854775807\n"},
        Accepted{"no_interval", &S::settings, "[settings.polling]\npoll_interval_seconds = 0\n"},
        Accepted{"no_batch", &S::settings, "[settings.polling]\nbatch_size = 0\n"},
        Accepted{"large_batch", &S::settings, "[settings.polling]\nbatch_size = 5000\n"},
        Accepted{"empty_paths", &S::settings,
                 "[settings]\nworkspace_dir = \"\"\nstate_db_path = \"\"\notlp_endpoint = \"\"\n"},
        Accepted{"byte_order_mark", &S::settings, "\xef\xbb\xbf"},
        Accepted{"empty_environment", &S::settings, "[environment]\n"},
        Accepted{"empty_remote", &S::repositories, "[repositories.b]\nremote = \"\"\n"},
        Accepted{"empty_setup_script", &S::repositories, "setup_script = \"\"\n"},
        Accepted{"profile_with_a_space", &S::agents, "[agents.profiles.\"a b\"]\nprovider = \"claude\"\n"},
        Accepted{"unknown_timezone", &S::agents, "[agents.profiles.p]\nprovider = \"x\"\ntimezone = \"Z\"\n"},
        Accepted{"two_aliases", &S::plugins, "[plugins.b]\ntype = \"npx\"\nargs = [\"-y\", \"@acme/ext\"]\n"},
        Accepted{"empty_argument", &S::plugins, "[plugins.b]\ntype = \"npx\"\nargs = [\"\"]\n"},
        Accepted{"unknown_checkout", &S::automations, "checkout = \"zork\"\n"},
        Accepted{"schedule_of_a_trigger", &S::automations, "schedule = 1\n"},
        Accepted{"default_trigger", &S::plugins,
                 "[plugins.plugins-py]\ntype = \"uvx\"\nargs = [\"x\"]\n"
                 "[automations.a]\nrepository = \"api\"\nprompt = \"\"\n"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(SettingsOfTheExistingHost, numbers_outside_the_sensible_range_are_moved_into_it_with_a_warning) {
  SettingsText text;
  text.settings = "[settings]\nmax_active_tasks = 0\n[settings.polling]\nbatch_size = 5000\n";
  CollectedDiagnostics diagnostics;
  const auto settings = parse(text, diagnostics);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->max_active_tasks, 1u);
  EXPECT_EQ(settings->polling.batch_size, 1000u);
  ASSERT_THAT(diagnostics.all, SizeIs(2));
  EXPECT_EQ(diagnostics.all[1].text, "field \"settings.polling.batch_size\": 5000 is taken as 1000");
  EXPECT_EQ(diagnostics.all[1].position, (TextPosition{4, 14}));
}

}  // namespace
}  // namespace curupira::manifest::test
