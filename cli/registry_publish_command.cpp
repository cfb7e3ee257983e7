#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "cli/installation.h"
#include "cli/lock_settings.h"
#include "cli/progress.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "installer/publication.h"
#include "registry/package_brief.h"

namespace curupira::cli {
namespace {

json::Array to_json(const std::vector<registry::ReleaseOutcome>& releases) {
  json::Array list;
  for (const registry::ReleaseOutcome& release : releases) {
    json::Object object;
    object.set("package", release.name.text());
    object.set("version", release.version);
    object.set("sha256", release.archive.hex());
    object.set("role", release.role);
    object.set("alreadyPublished", release.already);
    list.emplace_back(std::move(object));
  }
  return list;
}

Result<std::vector<installer::PublicationRequest>> requests_of(const Invocation& invocation,
                                                               const RegistryPublishArguments& arguments) {
  if (arguments.summary &&
      (arguments.summary->size() > registry::max_summary_bytes || !is_valid_utf8(*arguments.summary) ||
       arguments.summary->find('\n') != std::string::npos))
    return fail(ErrorCode::usage,
                "--summary is one line of at most " + std::to_string(registry::max_summary_bytes) + " bytes");
  std::vector<installer::PublicationRequest> requests;
  for (const auto& path : arguments.paths)
    requests.push_back(
        {.path = absolute_path(invocation, path), .scope = arguments.scope, .summary = arguments.summary});
  return requests;
}

}  // namespace

Result<int> registry_publish_command(const Invocation& invocation, const RegistryPublishArguments& arguments,
                                     Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  // Before anything is fetched or started: a folder that is no registry is said at once.
  CURUPIRA_CHECK(session->open_to_read());
  CURUPIRA_TRY(const auto requests, requests_of(invocation, arguments));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const std::optional<manifest::Settings> no_settings;
  const Installation installation(invocation, session->files(), no_settings, std::move(platform), false,
                                  session->diagnostics());
  InstallProgress progress(terminal, installation.clock());
  const auto publication = installer::prepare_publication(
      installation.tools(), requests, {.allow_unsandboxed_probe = arguments.probe_unsandboxed},
      session->diagnostics(), progress);
  progress.clear();
  if (!publication) return fail(publication.error());
  CURUPIRA_TRY(auto repository, session->open_for_change("publish"));
  CURUPIRA_TRY(const auto outcome, registry::publish(repository, publication->releases()));
  if (invocation.common.json) {
    json::Object document = registry_document("publish");
    document.set("releases", to_json(outcome.releases));
    document.set("revision", revision_to_json(outcome.revision));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  bool changed = false;
  for (const registry::ReleaseOutcome& release : outcome.releases) {
    changed = changed || !release.already;
    terminal.out() << (release.already ? "Already published: " : "Published ")
                   << printable(release.name.text()) << ' ' << printable(release.version)
                   << "  sha256:" << release.archive.hex() << '\n';
  }
  if (changed) print_what_waits(terminal, outcome.revision, arguments.place.folder.string());
  return 0;
}

Result<int> registry_yank_command(const Invocation& invocation, const RegistryYankArguments& arguments,
                                  Terminal& terminal) {
  CURUPIRA_TRY(const auto name, registry::PackageName::parse(arguments.name));
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_for_change(arguments.reason ? "yank" : "unyank"));
  CURUPIRA_TRY(const auto outcome,
               registry::set_yanked(repository, name, arguments.version, arguments.reason));
  if (invocation.common.json) {
    json::Object document = registry_document("yank");
    document.set("package", name.text());
    document.set("version", arguments.version);
    document.set("yanked", arguments.reason.has_value());
    document.set("revision", revision_to_json(outcome.revision));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << (arguments.reason ? "Took back " : "Counts again: ") << printable(name.text()) << ' '
                 << printable(arguments.version) << '\n';
  print_what_waits(terminal, outcome.revision, arguments.place.folder.string());
  return 0;
}

}  // namespace curupira::cli
