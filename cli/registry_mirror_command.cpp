#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "cli/copy_text.h"
#include "cli/installation.h"
#include "cli/lock_settings.h"
#include "cli/mirror_text.h"
#include "cli/progress.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "installer/mirror.h"
#include "installer/mirror_registries.h"
#include "registry/mirror_role.h"
#include "registry/repository_init.h"

namespace curupira::cli {
namespace {

Result<std::vector<registry::Reference>> references_of(const std::vector<std::string>& texts) {
  std::vector<registry::Reference> references;
  for (const std::string& text : texts) {
    CURUPIRA_TRY(auto reference, registry::parse_reference(text));
    references.push_back(std::move(reference));
  }
  return references;
}

/// With '/' at its end. Error: usage.
Result<std::string> address_of(const std::string& text) {
  const auto url = Url::parse(text);
  const bool usable = url && (url->scheme() == "https" || url->scheme() == "http") && url->query().empty() &&
                      url->fragment().empty() && url->user_info().empty();
  if (!usable)
    return fail(Error(ErrorCode::usage, "--url \"" + excerpt(text, 150) + "\" is no address of a folder")
                    .with_help("for example https://mirror.example.org/curupira/"));
  std::string address = url->to_string();
  if (!address.ends_with('/')) address += '/';
  return address;
}

Result<installer::MirrorRequest> request_of(const Invocation& invocation,
                                            const RegistryMirrorArguments& arguments,
                                            const std::optional<manifest::Settings>& settings) {
  if (arguments.references.empty() && !arguments.lock && !arguments.update && !arguments.url)
    return fail(Error(ErrorCode::usage, "nothing to mirror is named")
                    .with_help("name packages, a lock file with --lock, or --update for what is mirrored"));
  installer::MirrorRequest request;
  CURUPIRA_TRY(request.references, references_of(arguments.references));
  request.update = arguments.update;
  if (arguments.lock) request.lock = absolute_path(invocation, *arguments.lock);
  if (arguments.url) {
    CURUPIRA_TRY(request.url, address_of(*arguments.url));
  }
  request.platforms_named = !arguments.platforms.empty();
  for (const std::string& name : arguments.platforms) {
    CURUPIRA_TRY(auto platform, platform_of(name));
    request.platforms.push_back(std::move(platform));
  }
  if (request.platforms.empty()) request.platforms = lock_place(invocation, settings).platforms;
  if (request.platforms.empty()) request.platforms.push_back(manifest::Platform::current());
  std::ranges::sort(request.platforms);
  const auto twice = std::ranges::unique(request.platforms);
  request.platforms.erase(twice.begin(), twice.end());
  return request;
}

/// What the folder is before the command.
struct Present {
  bool is_registry = false;
  registry::MirrorIndex index = {};
};

Result<Present> look_at(RegistrySession& session, bool may_change) {
  const registry::RepositoryFolder folder(session.files(), session.place().folder);
  Present present;
  CURUPIRA_TRY(present.is_registry, folder.has_metadata(tuf::metadata_file_name(tuf::timestamp_role)));
  if (!present.is_registry) {
    CURUPIRA_CHECK(registry::check_free(session.files(), folder));
    return present;
  }
  CURUPIRA_TRY(const auto waits, session.files().status(folder.path() / ".mirror"));
  if (waits && may_change) {
    CURUPIRA_TRY(auto repository, session.open_for_change("mirror"));
    CURUPIRA_TRY(present.index, registry::read_mirror(repository));
    CURUPIRA_CHECK(registry::finish_pages(repository.folder(), present.index));
    return present;
  }
  CURUPIRA_TRY(auto repository, session.open_to_read());
  CURUPIRA_TRY(present.index, registry::read_mirror(repository));
  return present;
}

Result<> ask_consent(const RegistryMirrorArguments& arguments, Terminal& terminal) {
  if (arguments.yes) return {};
  if (!terminal.can_ask()) return fail(ErrorCode::consent_needed);
  if (!terminal.ask("Mirror?")) return fail(ErrorCode::declined);
  return {};
}

using Copies = std::vector<installer::MirroredRegistry>;

/// Those of the plan; all that are there, when everything is brought up to date.
Result<std::map<std::string, std::set<std::string>>> registries_of(const installer::MirrorPlan& plan,
                                                                   const RegistryMirrorArguments& arguments,
                                                                   const registry::RepositoryFolder& folder) {
  auto registries = plan.releases;
  if (!arguments.update || !arguments.references.empty() || arguments.lock) return registries;
  CURUPIRA_TRY(const auto names, installer::mirrored_registries(folder));
  for (const std::string& name : names)
    registries[name];
  return registries;
}

void print_copies(Terminal& terminal, const Copies& copies, bool done) {
  for (const auto& [name, report] : copies)
    if (!copies_nothing(report))
      terminal.out() << (done ? "Copied registry " : "+ registry ") << name << ": "
                     << copy_text(report.copied) << '\n';
}

void print_json(Terminal& terminal, const installer::MirrorPlan& plan, const Copies& copies, bool done,
                const std::optional<registry::InitOutcome>& made,
                const std::optional<registry::RevisionOutcome>& revision) {
  json::Object document = registry_document("mirror");
  document.set("done", done);
  document.set("plan", mirror_plan_to_json(plan));
  json::Array registries;
  for (const auto& [name, report] : copies) {
    json::Object object;
    object.set("name", name);
    add_copy_report(object, report);
    registries.emplace_back(std::move(object));
  }
  document.set("registries", std::move(registries));
  document.set("fingerprint", made ? json::Value(made->fingerprint) : json::Value());
  document.set("revision", revision ? json::Value(revision_to_json(*revision)) : json::Value());
  terminal.out() << json::write_pretty(document);
}

}  // namespace

Result<int> registry_mirror_command(const Invocation& invocation, const RegistryMirrorArguments& arguments,
                                    Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CollectedDiagnostics ignored;  // `validate` says what of the settings is doubtful
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, session->files(), ignored));
  CURUPIRA_TRY(const auto request, request_of(invocation, arguments, settings));
  CURUPIRA_TRY(const Present present, look_at(*session, !arguments.dry_run));
  const Installation installation(invocation, session->files(), settings, manifest::Platform::current(),
                                  false, session->diagnostics());
  InstallProgress progress(terminal, installation.clock());
  const registry::RepositoryFolder folder(session->files(), session->place().folder);
  auto plan = installer::plan_mirror(installation.tools(), installation.options(), folder, present.index,
                                     request, session->diagnostics(), progress);
  progress.clear();
  if (!plan) return fail(std::move(plan).error());
  CURUPIRA_TRY(const auto registries, registries_of(*plan, arguments, folder));
  CopyProgress copying(terminal, installation.clock());
  const auto copy = [&](bool dry_run) {
    auto copies = installer::copy_registries(installation.tools(), folder, registries, dry_run,
                                             installation.clock(), session->diagnostics(), copying);
    copying.clear();
    return copies;
  };
  CURUPIRA_TRY(Copies copies, copy(true));
  const bool copies_something = !std::ranges::all_of(
      copies, [](const installer::MirroredRegistry& each) { return copies_nothing(each.report); });
  const bool changes = plan->changes_something() || copies_something;
  const bool json = invocation.common.json;
  if (!json) print_mirror_plan(terminal, *plan);
  if (!json) print_copies(terminal, copies, false);
  if (!changes || arguments.dry_run) {
    if (json) print_json(terminal, *plan, copies, false, {}, {});
    if (!json && !changes) terminal.out() << "Nothing to do: all of it is mirrored already\n";
    return 0;
  }
  CURUPIRA_CHECK(ask_consent(arguments, terminal));
  const std::string shown = printable(arguments.place.folder.string());
  std::optional<registry::InitOutcome> made;
  if (!present.is_registry) {
    CURUPIRA_TRY(made, registry::init_repository(session->tools(), session->place(), {}));
    if (!json)
      terminal.out() << "Made the registry " << shown << "\nkeys         "
                     << printable(session->place().keys.string())
                     << " (never serve this folder)\nfingerprint  " << made->fingerprint << '\n'
                     << std::flush;
  }
  std::optional<registry::RevisionOutcome> revision;
  if (plan->changes_something()) {
    CURUPIRA_TRY(auto repository, session->open_for_change("mirror"));
    auto carried = installer::carry_out_mirror(installation.tools(), installation.options(), repository,
                                               *plan, session->diagnostics(), progress);
    progress.clear();
    if (!carried) return fail(std::move(carried).error());
    revision = *std::move(carried);
  }
  CURUPIRA_TRY(copies, copy(false));
  if (json) {
    print_json(terminal, *plan, copies, true, made, revision);
    return 0;
  }
  if (revision)
    terminal.out() << (plan->additions.empty() ? "Wrote the pages of "
                                               : "Mirrored " + mirror_summary(*plan) + " in ")
                   << shown << '\n';
  print_copies(terminal, copies, true);
  if (revision) print_what_waits(terminal, *revision, arguments.place.folder.string());
  return 0;
}

}  // namespace curupira::cli
