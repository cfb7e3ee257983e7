#include <algorithm>
#include <optional>
#include <ostream>

#include "agents/provider.h"
#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/installed.h"
#include "cli/report.h"
#include "installer/verification_level.h"

namespace curupira::cli {
namespace {

constexpr std::string_view built_in_origin = "curupira " CURUPIRA_VERSION " (built-in)";

struct Row {
  std::string name;
  std::string origin;
  std::string note;
  std::string level = {};  ///< who vouches for it; empty where nobody is asked
};

/// The weakest of the extension's artifacts. What comes from a folder of the user's is his own word.
std::optional<manifest::VerificationLevel> level_of(const manifest::InstalledExtension& extension) {
  if (!extension.receipt || extension.receipt->source == "path") return std::nullopt;
  return installer::weakest_level(extension.receipt->artifacts);
}

/// The rows of spec/protocol.md §5: cron first, all others in one order by their bytes. What fields a prompt
/// may use is known only to the running extension, and listing starts none.
std::vector<Row> rows_of(const manifest::Discovered& installed) {
  std::vector<Row> rows;
  for (const auto& extension : installed.extensions) {
    const auto level = level_of(extension);
    for (const auto& trigger : extension.manifest.trigger_types)
      rows.push_back({trigger, extension.manifest.name + " " + extension.manifest.version,
                      "prompt fields: (see extension)", std::string(level ? name_of(*level) : "")});
  }
  for (const auto& provider : agents::providers())
    rows.push_back({"agent:" + std::string(provider.name), std::string(built_in_origin),
                    "executable: " + std::string(provider.executable)});
  std::ranges::stable_sort(rows, {}, &Row::name);
  rows.insert(rows.begin(), {"cron", std::string(built_in_origin), "prompt fields: -"});
  return rows;
}

json::Value extension_to_json(const manifest::InstalledExtension& extension) {
  const auto& manifest = extension.manifest;
  json::Object object;
  object.set("name", manifest.name);
  object.set("version", manifest.version);
  json::Array triggers;
  for (const auto& trigger : manifest.trigger_types)
    triggers.emplace_back(trigger);
  object.set("triggers", std::move(triggers));
  object.set("folder", extension.folder.string());
  object.set("managed", extension.receipt.has_value());
  if (extension.receipt) {
    object.set("source", extension.receipt->source);
    object.set("reference", extension.receipt->reference);
    object.set("launch", extension.receipt->launch_type);
    if (const auto level = installer::weakest_level(extension.receipt->artifacts))
      object.set("level", manifest::name_of(*level));
    json::Array artifacts;
    for (const auto& artifact : extension.receipt->artifacts) {
      json::Object one;
      one.set("package", artifact.package);
      if (!artifact.version.empty()) one.set("version", artifact.version);
      one.set("level", manifest::name_of(artifact.level));
      artifacts.emplace_back(std::move(one));
    }
    object.set("artifacts", std::move(artifacts));
  } else {
    object.set("launch", manifest::launch_type(manifest.launch));
  }
  return object;
}

void print_json(Terminal& terminal, const manifest::Discovered& installed) {
  json::Array extensions, agents, broken;
  for (const auto& extension : installed.extensions)
    extensions.push_back(extension_to_json(extension));
  for (const auto& provider : agents::providers()) {
    json::Object object;
    object.set("provider", provider.name);
    object.set("executable", provider.executable);
    agents.emplace_back(std::move(object));
  }
  for (const auto& one : installed.broken) {
    json::Object object;
    object.set("file", one.file.string());
    object.set("error", error_to_json(one.error));
    broken.emplace_back(std::move(object));
  }
  json::Object document;
  document.set("schema", "curupira.plugins.list.v1");
  document.set("builtInTriggers", json::Array{"cron"});
  document.set("extensions", std::move(extensions));
  document.set("agents", std::move(agents));
  document.set("broken", std::move(broken));
  terminal.out() << json::write_pretty(document);
}

}  // namespace

Result<int> list_command(const Invocation& invocation, const ListArguments& arguments, Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  const auto installed = discover_installed(invocation, *files, diagnostics);
  if (invocation.common.json) {
    print_json(terminal, installed);
  } else {
    // Programs that read the rows know three columns (spec/protocol.md §5); people see who vouches, too.
    for (const auto& row : rows_of(installed)) {
      terminal.out() << printable(row.name) << '\t' << printable(row.origin) << '\t' << row.note;
      if (terminal.out_is_terminal() && !row.level.empty()) terminal.out() << '\t' << row.level;
      terminal.out() << '\n';
    }
  }
  for (const auto& broken : installed.broken)
    warn_of_broken(terminal, broken);
  return arguments.strict && !installed.broken.empty() ? 1 : 0;
}

}  // namespace curupira::cli
