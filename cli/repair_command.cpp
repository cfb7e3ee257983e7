#include <ostream>

#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/verify_command.h"
#include "installer/repair.h"

namespace curupira::cli {
namespace {

using installer::Repair;

void print_text(Terminal& terminal, const Repair& repair) {
  auto& out = terminal.out();
  for (const auto& finding : repair.before.findings)
    print_finding(terminal, finding);
  for (const auto& object : repair.repaired)
    out << "repaired " << name_of(object.object) << ' ' << printable(object.name) << ": " << object.from
        << '\n';
  if (repair.before.findings.empty()) out << "nothing to repair\n";
  out << (repair.after.findings.empty() ? "all is as it was installed\n" : "not all could be repaired\n");
  for (const auto& object : repair.unrepaired)
    print_error(terminal,
                Error(object.error)
                    .while_doing("repairing " + std::string(name_of(object.object)) + " " + object.name));
}

void print_json(Terminal& terminal, const Repair& repair) {
  json::Array repaired, unrepaired;
  for (const auto& object : repair.repaired) {
    json::Object item;
    item.set("object", name_of(object.object));
    item.set("name", object.name);
    item.set("from", object.from);
    repaired.emplace_back(std::move(item));
  }
  for (const auto& object : repair.unrepaired) {
    json::Object item;
    item.set("object", name_of(object.object));
    item.set("name", object.name);
    item.set("error", error_to_json(object.error));
    unrepaired.emplace_back(std::move(item));
  }
  json::Object document;
  document.set("schema", "curupira.plugins.repair.v1");
  document.set("before", verification_to_json(repair.before, "curupira.plugins.verify.v1"));
  document.set("repaired", std::move(repaired));
  document.set("unrepaired", std::move(unrepaired));
  document.set("after", verification_to_json(repair.after, "curupira.plugins.verify.v1"));
  terminal.out() << json::write_pretty(document);
}

}  // namespace

Result<int> repair_command(const Invocation& invocation, const VerifyArguments& arguments,
                           Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  // What is installed is repaired, whatever may be chosen today: no rule counts.
  CollectedDiagnostics ignored;
  const auto settings = settings_in_use(invocation, *files, ignored);
  const auto* const registries = settings && *settings ? &(*settings)->registries : nullptr;
  const Installation installation(invocation, *files, nullptr, registries, diagnostics);
  InstallProgress progress(terminal, installation.clock());
  auto repair = installer::repair_extensions(installation.tools(), arguments.names, diagnostics, progress);
  progress.clear();
  if (!repair) return fail(std::move(repair).error());
  if (invocation.common.json)
    print_json(terminal, *repair);
  else
    print_text(terminal, *repair);
  return repair->after.findings.empty() ? 0 : 1;
}

}  // namespace curupira::cli
