#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "base/printable.h"
#include "base/process_runner.h"
#include "cli/command.h"
#include "cli/plan_text.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "installer/installer.h"
#include "registry/sources.h"

namespace curupira::cli {
namespace {

using installer::InstallPlan;
using installer::PlannedExtension;

Result<std::vector<registry::Reference>> parse_references(const std::vector<std::string>& texts) {
  std::vector<registry::Reference> references;
  for (const auto& text : texts) {
    CURUPIRA_TRY(auto reference, registry::parse_reference(text));
    references.push_back(std::move(reference));
  }
  return references;
}

void print_outcome(Terminal& terminal, const InstallPlan& plan) {
  for (const auto& extension : plan.extensions) {
    const std::string name = printable(extension.name), version = printable(extension.version);
    switch (extension.action) {
      case PlannedExtension::Action::add:
        terminal.out() << "Installed extension " << name << ' ' << version << '\n';
        break;
      case PlannedExtension::Action::replace:
        terminal.out() << "Replaced extension " << name << ' '
                       << printable(extension.installed_version.value_or("?")) << " with " << version << '\n';
        break;
      case PlannedExtension::Action::keep:
        terminal.out() << "Extension " << name << ' ' << version << " is already installed: no change\n";
        break;
    }
  }
}

void print_json(Terminal& terminal, const InstallPlan& plan, bool installed) {
  json::Object document;
  document.set("schema", "curupira.plugins.install.v1");
  document.set("installed", installed);
  document.set("plan", plan_to_json(plan));
  terminal.out() << json::write_pretty(document);
}

/// The consent that a change needs: --yes, or a person's answer.
Result<> ask_consent(const InstallArguments& arguments, const InstallPlan& plan, Terminal& terminal) {
  if (arguments.yes || !plan.changes_something()) return {};
  if (!terminal.can_ask()) return fail(ErrorCode::consent_needed);
  if (!terminal.ask("Install?")) return fail(ErrorCode::declined);
  return {};
}

}  // namespace

Result<int> install_command(const Invocation& invocation, const InstallArguments& arguments,
                            Terminal& terminal) {
  CURUPIRA_TRY(const auto references, parse_references(arguments.references));

  const auto files = make_posix_file_system();
  const SystemClock clock;
  const auto http = make_curl_http_client(invocation.environment);
  SystemProcessRunner processes;
  const auto sources = registry::make_sources({.environment = invocation.environment,
                                               .home = invocation.home,
                                               .current_folder = invocation.current_folder,
                                               .files = *files,
                                               .http = http.get(),
                                               .processes = processes,
                                               .clock = &clock});
  const installer::InstallerTools tools{.home = invocation.home,
                                        .environment = invocation.environment,
                                        .files = *files,
                                        .http = http.get(),
                                        .processes = processes,
                                        .sources = sources,
                                        .platform = manifest::Platform::current()};
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  InstallProgress progress(terminal, clock);

  auto prepared =
      installer::prepare_install(tools, references, {arguments.probe_unsandboxed}, diagnostics, progress);
  progress.clear();
  if (!prepared) return fail(std::move(prepared).error());
  const InstallPlan plan = prepared->plan();

  if (!invocation.common.json) print_plan(terminal, plan);
  if (arguments.dry_run) {
    if (invocation.common.json) print_json(terminal, plan, false);
    return 0;
  }
  CURUPIRA_CHECK(ask_consent(arguments, plan, terminal));
  CURUPIRA_CHECK(std::move(*prepared).commit(progress));
  progress.clear();
  if (invocation.common.json)
    print_json(terminal, plan, true);
  else
    print_outcome(terminal, plan);
  return 0;
}

}  // namespace curupira::cli
