#pragma once

#include <string>
#include <string_view>

#include "manifest/settings.h"

namespace curupira::manifest::test {

/// The tables of a valid settings file; each can be replaced.
struct SettingsText {
  std::string settings = {};
  std::string repositories = "[repositories.api]\nremote = \"https://example.org/acme/api.git\"\n";
  std::string agents = "[agents.defaults]\nprofile = \"oc\"\n[agents.profiles.oc]\nprovider = \"opencode\"\n";
  std::string plugins = "[plugins.acme]\ntype = \"npx\"\nargs = [\"-y\", \"@acme/ext\"]\n";
  std::string automations =
      "[automations.one]\ntrigger_type = \"acme/items\"\nrepository = \"api\"\nprompt = \"Do ${title}\"\n";
  std::string rest = {};

  std::string text() const { return settings + repositories + agents + plugins + automations + rest; }
};

inline Result<Settings> parse(const SettingsText& text, Diagnostics& diagnostics) {
  return parse_settings(text.text(), "/etc/acme/settings.toml",
                        {.home = "/home/me", .curupira = "/home/me/.curupira"}, diagnostics);
}

inline Result<Settings> parse(const SettingsText& text) {
  CollectedDiagnostics ignored;
  return parse(text, ignored);
}

}  // namespace curupira::manifest::test
