#include <ostream>

#include "base/child_process.h"
#include "base/file_system.h"
#include "base/orphan_guard.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/installed.h"
#include "cli/report.h"
#include "cli/settings_file.h"
#include "runtime/automation_check.h"

namespace curupira::cli {
namespace {

void print_json(Terminal& terminal, const Invocation& invocation, const std::vector<Error>& errors) {
  json::Array list;
  for (const auto& error : errors)
    list.push_back(error_to_json(error));
  json::Object document;
  document.set("schema", "curupira.validate.v1");
  document.set("file", settings_path(invocation).string());
  document.set("valid", errors.empty());
  document.set("errors", std::move(list));
  terminal.out() << json::write_pretty(document);
}

/// Like the existing host: a bad configuration is 2, an extension that fails is 1; with both, 2.
int exit_code_of(const std::vector<Error>& errors) {
  int code = 0;
  for (const auto& error : errors)
    code = std::max(code, error_info(error.code()).exit_code);
  return code;
}

std::vector<Error> check(const Invocation& invocation, Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  const auto settings = read_settings(invocation, *files, diagnostics);
  if (!settings) return {settings.error()};
  if (auto subreaper = become_subreaper(); !subreaper) return {subreaper.error()};
  const auto guard = OrphanGuard::start();
  if (!guard) return {guard.error()};
  const auto installed = discover_installed(invocation, *files, diagnostics);
  return runtime::check_automations({.settings = *settings,
                                     .installed = installed,
                                     .home = invocation.home,
                                     .environment = invocation.environment},
                                    diagnostics);
}

}  // namespace

Result<int> validate_command(const Invocation& invocation, Terminal& terminal) {
  const auto errors = check(invocation, terminal);
  if (invocation.common.json) print_json(terminal, invocation, errors);
  for (const auto& error : errors)
    print_error(terminal, error);
  if (errors.empty() && !invocation.common.json)
    terminal.out() << "Configuration is valid: " << printable(settings_path(invocation).string()) << '\n';
  return exit_code_of(errors);
}

}  // namespace curupira::cli
