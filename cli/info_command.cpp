#include <ostream>

#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/installed.h"
#include "cli/plan_text.h"
#include "cli/report.h"
#include "launcher/launch_command.h"

namespace curupira::cli {
namespace {

std::string joined(const std::vector<std::string>& items, std::string_view separator,
                   std::string_view when_empty) {
  if (items.empty()) return std::string(when_empty);
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += separator;
    text += printable(item);
  }
  return text;
}

void line(Terminal& terminal, std::string_view label, std::string_view value) {
  terminal.out() << label << std::string(label.size() < 13 ? 13 - label.size() : 1, ' ') << value << '\n';
}

/// How it starts here and now, or why it cannot.
std::string start_text(const Result<launcher::LaunchCommand>& command) {
  if (!command) return "cannot start here: " + command.error().summary();
  return joined(command->argv, " ", "");
}

void print_text(Terminal& terminal, const manifest::InstalledExtension& extension,
                const Result<launcher::LaunchCommand>& command) {
  const auto& manifest = extension.manifest;
  line(terminal, "name", manifest.name);
  line(terminal, "version", printable(manifest.version));
  line(terminal, "runtime", manifest::name_of(manifest.runtime));
  line(terminal, "triggers", joined(manifest.trigger_types, ", ", "-"));
  line(terminal, "permissions", joined(manifest.permissions, ", ", "none asked for"));
  if (manifest.package)
    line(terminal, "package", printable(manifest.package->source + ":" + manifest.package->name));
  if (const auto& receipt = extension.receipt) {
    line(terminal, "launch", receipt->launch_type);
    line(terminal, "from", printable(receipt->reference));
    line(terminal, "described",
         receipt->probed ? "asked of the package, sandbox: " + receipt->sandbox
                         : std::string("from the package's manifest file, nothing was started"));
  } else {
    line(terminal, "launch", manifest::launch_type(manifest.launch));
    line(terminal, "from", "another program (no receipt)");
  }
  line(terminal, "folder", printable(extension.folder.string()));
  line(terminal, "starts", start_text(command));
  if (!extension.receipt || extension.receipt->artifacts.empty()) return;
  line(terminal, "artifacts", std::to_string(extension.receipt->artifacts.size()));
  for (const auto& artifact : extension.receipt->artifacts)
    terminal.out() << "  " << printable(artifact.package) << (artifact.version.empty() ? "" : " ")
                   << printable(artifact.version) << "  " << format_bytes(artifact.size) << "  "
                   << short_digest(artifact.digest) << "  " << manifest::name_of(artifact.level) << '\n';
}

json::Array strings(const std::vector<std::string>& items) {
  json::Array array;
  for (const auto& item : items)
    array.emplace_back(item);
  return array;
}

void print_json(Terminal& terminal, const manifest::InstalledExtension& extension,
                const Result<launcher::LaunchCommand>& command) {
  const auto& manifest = extension.manifest;
  json::Object document;
  document.set("schema", "curupira.plugins.info.v1");
  document.set("name", manifest.name);
  document.set("version", manifest.version);
  document.set("runtime", manifest::name_of(manifest.runtime));
  document.set("triggers", strings(manifest.trigger_types));
  document.set("permissions", strings(manifest.permissions));
  document.set("folder", extension.folder.string());
  document.set("managed", extension.receipt.has_value());
  if (manifest.package) {
    json::Object package;
    package.set("source", manifest.package->source);
    package.set("name", manifest.package->name);
    if (manifest.package->version) package.set("version", *manifest.package->version);
    document.set("package", std::move(package));
  }
  if (const auto& receipt = extension.receipt) {
    document.set("launch", receipt->launch_type);
    document.set("source", receipt->source);
    document.set("reference", receipt->reference);
    document.set("probed", receipt->probed);
    if (receipt->probed) document.set("sandbox", receipt->sandbox);
    json::Array artifacts;
    for (const auto& artifact : receipt->artifacts)
      artifacts.push_back(artifact_to_json(artifact));
    document.set("artifacts", std::move(artifacts));
  } else {
    document.set("launch", manifest::launch_type(manifest.launch));
  }
  if (command)
    document.set("command", strings(command->argv));
  else
    document.set("cannotStart", error_to_json(command.error()));
  terminal.out() << json::write_pretty(document);
}

}  // namespace

Result<int> info_command(const Invocation& invocation, const InfoArguments& arguments, Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  const auto installed = discover_installed(invocation, *files, diagnostics);
  const auto* extension = installed.find(arguments.name);
  if (extension == nullptr) {
    for (const auto& broken : installed.broken)
      warn_of_broken(terminal, broken);
    return fail(not_installed(arguments.name, installed));
  }
  const auto command = launcher::make_command(*extension, invocation.home, invocation.environment);
  if (invocation.common.json)
    print_json(terminal, *extension, command);
  else
    print_text(terminal, *extension, command);
  return 0;
}

}  // namespace curupira::cli
