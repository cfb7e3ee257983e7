#include "fuzz/fuzz_target.h"
#include "manifest/settings.h"

using namespace curupira;

// Any bytes are read or refused; what was read can be asked for the packages and identities that it names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  CollectedDiagnostics diagnostics;
  const auto settings =
      manifest::parse_settings(fuzz::text_of(data, size), "/home/me/settings.toml",
                               {.home = "/home/me", .curupira = "/home/me/.curupira"}, diagnostics);
  if (!settings) {
    fuzz::require(settings.error().detail().starts_with("/home/me/settings.toml:"), "an error has a place");
    return 0;
  }
  for (const auto& plugin : settings->plugins)
    static_cast<void>(plugin.package());
  for (const auto& repository : settings->repositories) {
    static_cast<void>(manifest::forge_identity(repository.remote));
  }
  for (const auto& automation : settings->automations) {
    fuzz::require(json::parse(json::write(automation.table)).has_value(), "a table is JSON");
    fuzz::require(automation.is_cron() || settings->find_plugin(automation.plugin_alias()) != nullptr,
                  "a trigger is of a plugin");
  }
  return 0;
}
