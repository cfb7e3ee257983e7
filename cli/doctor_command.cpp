#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/process_runner.h"
#include "cli/command.h"
#include "cli/doctor_extensions.h"
#include "cli/doctor_file_system.h"
#include "cli/doctor_network.h"
#include "cli/doctor_sandbox.h"
#include "cli/doctor_servers.h"
#include "cli/doctor_settings.h"
#include "cli/doctor_store.h"
#include "cli/doctor_text.h"
#include "cli/doctor_tools.h"
#include "cli/installed.h"
#include "cli/settings_file.h"

namespace curupira::cli {
namespace {

/// All areas that need no network.
Findings examine_machine(const Invocation& invocation, FileSystem& files, ProcessRunner& processes) {
  // What discovery passes over is said by `plugins list`; here it would hide the findings.
  CollectedDiagnostics of_discovery, of_settings;
  const auto installed = discover_installed(invocation, files, of_discovery);
  const auto settings = read_settings(invocation, files, of_settings, manifest::SettingsUse::installing);
  const auto tools = known_tools(installed, settings ? &*settings : nullptr);

  Findings findings =
      examine_sandbox(launcher::detect_sandbox(invocation.environment), read_kernel_switches(files));
  const bool busy = is_busy(files, invocation.home);
  append(findings, examine_file_system(files, invocation.home));
  append(findings, examine_store(files, invocation.home, installed, busy));
  append(findings, judge_tools(tools, find_tools(tools, processes, invocation.environment)));
  append(findings, examine_extensions(installed, invocation.home, invocation.environment));
  append(findings, examine_settings(settings, of_settings.all, settings_path(invocation),
                                    invocation.common.config.has_value(), installed, invocation.environment));
  return findings;
}

Findings examine_network(const Invocation& invocation, const DoctorArguments& arguments, FileSystem& files,
                         ProcessRunner& processes) {
  const auto http = make_curl_http_client(invocation.environment, impatient_options());
  CollectedDiagnostics ignored;  // the settings have findings of their own
  const auto settings = read_settings(invocation, files, ignored, manifest::SettingsUse::installing);
  const registry::SourceTools tools{.environment = invocation.environment,
                                    .home = invocation.home,
                                    .current_folder = invocation.current_folder,
                                    .files = files,
                                    .http = http.get(),
                                    .processes = processes,
                                    .registries = settings ? &settings->registries : nullptr};
  Findings findings;
  auto servers = examined_servers(tools, arguments.urls, findings);
  // Who asks about the network wants to reach the defaults, too.
  for (ExaminedServer& server : servers)
    server.standard = server.standard && !arguments.network_only;
  append(findings, examine_servers(servers, *http, files, invocation.environment, SystemClock().now()));
  return findings;
}

}  // namespace

Result<int> doctor_command(const Invocation& invocation, const DoctorArguments& arguments,
                           Terminal& terminal) {
  const auto files = make_posix_file_system();
  SystemProcessRunner processes;
  Findings findings;
  if (!arguments.network_only) findings = examine_machine(invocation, *files, processes);
  append(findings, examine_network(invocation, arguments, *files, processes));
  if (invocation.common.json)
    terminal.out() << json::write_pretty(findings_to_json(findings));
  else
    print_findings(terminal, findings);
  return is_healthy(findings) ? 0 : 1;
}

}  // namespace curupira::cli
