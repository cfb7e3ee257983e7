#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/registry_access.h"
#include "cli/registry_command.h"
#include "cli/registry_text.h"
#include "cli/report.h"
#include "registry/carriers.h"
#include "registry/registry_trust.h"

namespace curupira::cli {
namespace {

/// One registry of the settings, and what is known of it here; nothing is asked.
struct Row {
  const manifest::RegistrySettings& settings;
  std::optional<registry::TrustState> trust = {};
  std::optional<Error> damage = {};
};

Row row_of(const manifest::RegistrySettings& settings, FileSystem& files, const HomeLayout& home) {
  Row row{.settings = settings};
  const registry::RegistryTrust trust(files, home, settings.name);
  const auto exists = trust.exists();
  if (exists && !*exists) return row;
  auto state = exists ? trust.state() : Result<registry::TrustState>(fail(exists.error()));
  if (state)
    row.trust = *std::move(state);
  else
    row.damage = std::move(state).error();
  return row;
}

std::optional<Digest> fingerprint_of(const Row& row) {
  if (row.trust && row.trust->first_root) return row.trust->first_root;
  return row.settings.root_fingerprint;
}

json::Value to_json(const Row& row) {
  json::Object object;
  object.set("name", row.settings.name);
  object.set("url", registry::shown_address(row.settings.url));
  json::Array mirrors;
  for (const std::string& mirror : row.settings.mirrors)
    mirrors.emplace_back(registry::shown_address(mirror));
  object.set("mirrors", std::move(mirrors));
  if (const auto fingerprint = fingerprint_of(row))
    object.set("fingerprint", manifest::root_fingerprint_text(*fingerprint));
  object.set("trusted", row.trust.has_value());
  if (row.trust) {
    object.set("rootVersion", row.trust->root_version);
    if (row.trust->timestamp_expires)
      object.set("timestampExpires", format_timestamp(*row.trust->timestamp_expires));
    if (row.trust->last_update) object.set("lastUpdate", format_timestamp(*row.trust->last_update));
  }
  if (row.damage) object.set("error", error_to_json(*row.damage));
  return object;
}

void print(Terminal& terminal, const Row& row, std::chrono::sys_seconds now) {
  const auto line = [&](std::string_view what, const std::string& text) {
    terminal.out() << "  " << what << std::string(13 - what.size(), ' ') << text << '\n';
  };
  terminal.out() << row.settings.name << '\n';
  line("address", registry::shown_address(row.settings.url));
  for (const std::string& mirror : row.settings.mirrors)
    line("mirror", registry::shown_address(mirror));
  if (const auto fingerprint = fingerprint_of(row))
    line("fingerprint", manifest::root_fingerprint_text(*fingerprint));
  if (row.damage) {
    line("root", "cannot be used: " + row.damage->summary());
    return;
  }
  if (!row.trust) {
    line("root",
         row.settings.root_fingerprint
             ? "not asked yet; the first use trusts the one of the fingerprint"
             : "none is trusted; `curupira registry remove " + row.settings.name + "`, then add it again");
    return;
  }
  line("root", "version " + std::to_string(row.trust->root_version));
  if (row.trust->last_update) line("last asked", format_timestamp(*row.trust->last_update));
  if (const auto expires = row.trust->timestamp_expires)
    line("timestamp", (*expires > now ? "expires on " : "has expired on ") + format_timestamp(*expires));
}

}  // namespace

Result<int> registry_list_command(const Invocation& invocation, Terminal& terminal) {
  RegistryAccess access(invocation, terminal, true);
  CURUPIRA_TRY(const RegistriesFile settings,
               read_registries(invocation, access.files(), access.diagnostics()));
  const auto now = std::chrono::floor<std::chrono::seconds>(access.tools().clock->now());
  json::Array rows;
  for (const auto& each : settings.registries) {
    const Row row = row_of(each, access.files(), invocation.home);
    if (invocation.common.json)
      rows.push_back(to_json(row));
    else
      print(terminal, row, now);
  }
  if (invocation.common.json) {
    json::Object document = registry_document("list");
    document.set("settings", settings.file.string());
    document.set("registries", std::move(rows));
    terminal.out() << json::write_pretty(document);
  } else if (settings.registries.empty()) {
    terminal.out() << "No registries in " << printable(settings.file.string())
                   << "; `curupira registry add NAME URL` adds one\n";
  }
  return 0;
}

}  // namespace curupira::cli
