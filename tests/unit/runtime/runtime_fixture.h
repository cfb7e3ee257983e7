#pragma once

#include <gtest/gtest.h>

#include <string>

#include "manifest/settings.h"
#include "runtime/automation_check.h"
#include "tests/unit/runtime/extension_fixture.h"

namespace curupira::runtime {

/// A home with the tests' extension installed as "vice", and settings that use it under the alias `acme`.
class RuntimeTest : public testing::Test {
 protected:
  /// An extension whose launch is python with vice_extension.py and `arguments`.
  manifest::InstalledExtension extension(const std::string& name, std::vector<std::string> arguments = {}) {
    const auto command = vice_command(std::move(arguments));
    manifest::InstalledExtension one;
    one.manifest.name = name;
    one.manifest.version = "1.2.3";
    one.manifest.trigger_types = {"items", "other"};
    one.manifest.launch =
        manifest::ExecutableLaunch{command.argv.front(), {command.argv.begin() + 1, command.argv.end()}};
    one.folder = folder.path();
    return one;
  }

  /// Installs "vice", which logs its requests.
  void install_vice(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.end(), {"--log", log.string()});
    installed.extensions = {extension("vice", std::move(arguments))};
  }

  std::string automation(const std::string& name, const std::string& prompt, const std::string& more = "") {
    return "[automations." + name + "]\ntrigger_type = \"acme/items\"\nrepository = \"api\"\nprompt = \"" +
           prompt + "\"\n" + more;
  }

  void use_settings(const std::string& automations,
                    const std::string& plugins = "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\n",
                    const std::string& rest = "") {
    const std::string text =
        rest + "[repositories.api]\nremote = \"https://git.example.org/acme/api.git\"\n" +
        "[agents.defaults]\nprofile = \"oc\"\n[agents.profiles.oc]\nprovider = \"opencode\"\n" + plugins +
        automations;
    auto parsed = manifest::parse_settings(text, folder / "settings.toml",
                                           {.home = folder.path(), .curupira = folder.path()}, diagnostics);
    ASSERT_TRUE(parsed) << parsed.error().detail();
    settings = *std::move(parsed);
  }

  RuntimeInputs inputs() {
    return {.settings = settings, .installed = installed, .home = home, .environment = environment};
  }

  std::vector<Error> check() { return check_automations(inputs(), diagnostics); }
  Preview preview() { return preview_tasks(inputs(), diagnostics); }

  test::TemporaryFolder folder;
  std::filesystem::path log = folder / "log";
  HomeLayout home{folder / "home"};
  Environment environment = path_only();
  manifest::Discovered installed;
  manifest::Settings settings;
  CollectedDiagnostics diagnostics;
};

}  // namespace curupira::runtime
