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

/// The combinations that the contract refuses (spec/settings.md), before the settings are read.
Result<> check_combination(const RunArguments& arguments) {
  if (arguments.dry_run && arguments.watch)
    return fail(ErrorCode::usage, "--dry-run cannot be combined with --watch");
  if (arguments.size && arguments.watch)
    return fail(ErrorCode::usage, "--size cannot be combined with --watch");
  if (arguments.size && arguments.dry_run)
    return fail(ErrorCode::usage, "--size cannot be combined with --dry-run");
  return {};
}

/// A prompt goes out byte for byte, so that two programs can be compared; but nothing in it drives a
/// terminal.
std::string shown(const Terminal& terminal, const std::string& text) {
  return terminal.out_is_terminal() ? printable(text, true) : text;
}

void print_text(Terminal& terminal, const runtime::Preview& preview) {
  auto& out = terminal.out();
  for (const auto& task : preview.tasks)
    out << "dry-run\t" << shown(terminal, task.key) << "\n--- prompt ---\n"
        << shown(terminal, task.prompt) << "\n--- end prompt ---\n";
  if (preview.tasks.empty() && preview.errors.empty()) out << "dry-run\t(no tasks available)\n";
}

void print_json(Terminal& terminal, const runtime::Preview& preview) {
  json::Array tasks, errors;
  for (const auto& task : preview.tasks) {
    json::Object object;
    object.set("key", task.key);
    object.set("prompt", task.prompt);
    tasks.emplace_back(std::move(object));
  }
  for (const auto& error : preview.errors)
    errors.push_back(error_to_json(error));
  json::Object document;
  document.set("schema", "curupira.run.dry-run.v1");
  document.set("tasks", std::move(tasks));
  document.set("errors", std::move(errors));
  terminal.out() << json::write_pretty(document);
}

}  // namespace

Result<int> run_command(const Invocation& invocation, const RunArguments& arguments, Terminal& terminal) {
  CURUPIRA_CHECK(check_combination(arguments));
  if (!arguments.dry_run)
    return fail(
        Error(ErrorCode::not_built_yet, "this version finds work and shows it, but starts no agent yet")
            .with_help("`curupira run --dry-run` shows the tasks that would start"));

  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, read_settings(invocation, *files, diagnostics));
  CURUPIRA_CHECK(become_subreaper());
  CURUPIRA_TRY(const auto guard, OrphanGuard::start());
  const auto installed = discover_installed(invocation, *files, diagnostics);
  const auto preview = runtime::preview_tasks({.settings = settings,
                                               .installed = installed,
                                               .home = invocation.home,
                                               .environment = invocation.environment},
                                              diagnostics);
  if (invocation.common.json)
    print_json(terminal, preview);
  else
    print_text(terminal, preview);
  int code = 0;
  for (const auto& error : preview.errors) {
    print_error(terminal, error);
    code = std::max(code, error_info(error.code()).exit_code);
  }
  return code;
}

}  // namespace curupira::cli
