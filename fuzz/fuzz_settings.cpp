#include <cstddef>
#include <cstdint>
#include <string_view>

#include "manifest/plugin_args.h"
#include "manifest/settings.h"

// Any bytes are read or refused; what was read can be asked for the packages and identities that it names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curupira;
  CollectedDiagnostics diagnostics;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto settings = manifest::parse_settings(
      text, "/home/me/settings.toml", {.home = "/home/me", .curupira = "/home/me/.curupira"}, diagnostics);
  if (!settings) return 0;
  for (const auto& plugin : settings->plugins)
    static_cast<void>(plugin.package());
  for (const auto& repository : settings->repositories)
    static_cast<void>(manifest::forge_identity(repository.remote));
  for (const auto& automation : settings->automations)
    static_cast<void>(json::write(automation.table));
  return 0;
}
