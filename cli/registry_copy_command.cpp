#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/copy_text.h"
#include "cli/installation.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/carriers.h"
#include "registry/package_name.h"
#include "registry/registry_copy.h"
#include "registry/scratch_folder.h"

namespace curupira::cli {
namespace {

using Word = RegistryCopyArguments::Word;

std::string word_of(Word word) {
  return word == Word::push ? "push" : word == Word::pull ? "pull" : "copy";
}

Result<Digest> fingerprint_of(const std::string& text) {
  constexpr std::string_view prefix = "sha256:";
  if (text.starts_with(prefix)) {
    auto digest = Digest::from_hex(DigestAlgorithm::sha256, text.substr(prefix.size()));
    if (digest) return digest;
  }
  return fail(ErrorCode::usage,
              "--root-fingerprint is \"" + excerpt(text) + "\", expected sha256: and 64 hexadecimal digits");
}

Result<registry::CopyRequest> request_of(const Invocation& invocation, const RegistryCopyArguments& arguments,
                                         Terminal& terminal) {
  registry::CopyRequest request{
      .trust = {.own = arguments.word == Word::push},
      .dry_run = arguments.dry_run,
      .lock = {.who = who_changes(word_of(arguments.word), invocation.environment), .wait = arguments.wait}};
  request.lock.on_wait = [&terminal](const std::string& holder) {
    terminal.err() << "Waiting for " << printable(holder) << '\n' << std::flush;
  };
  if (arguments.root_fingerprint) {
    CURUPIRA_TRY(request.trust.fingerprint, fingerprint_of(*arguments.root_fingerprint));
  }
  if (arguments.packages.empty()) return request;
  request.packages.emplace();
  for (const std::string& name : arguments.packages) {
    CURUPIRA_TRY(const auto parsed, registry::PackageName::parse(name));
    request.packages->insert(parsed.text());
  }
  return request;
}

json::Object to_json(const registry::CopyReport& report, const RegistryCopyArguments& arguments) {
  json::Object document = registry_document("copy");
  document.set("from", arguments.from);
  document.set("to", arguments.to);
  document.set("dryRun", arguments.dry_run);
  add_copy_report(document, report);
  return document;
}

void print(Terminal& terminal, const registry::CopyReport& report, const RegistryCopyArguments& arguments) {
  const std::string to = printable(arguments.to);
  if (copies_nothing(report))
    terminal.out() << to << " has all of it already\n";
  else
    terminal.out() << (arguments.dry_run ? "Would copy " : "Copied ") << copy_text(report.copied) << " to "
                   << to << '\n';
  if (report.there.indexes + report.there.artifacts > 0)
    terminal.out() << "Already there: " << copy_text(report.there) << '\n';
  if (report.packages) {
    std::string names;
    for (const std::string& name : *report.packages)
      names += (names.empty() ? "" : ", ") + printable(name);
    terminal.out() << "Of packages it has only: " << names << '\n';
  }
  for (const std::string& role : report.expired)
    terminal.err() << "warning: " << printable(role)
                   << " has expired: clients refuse its packages until they are signed anew\n";
  terminal.out() << (arguments.dry_run ? "It would show" : "It shows") << " snapshot " << report.snapshot
                 << ", signed until " << format_timestamp(report.expires) << '\n';
}

}  // namespace

Result<int> registry_copy_command(const Invocation& invocation, const RegistryCopyArguments& arguments,
                                  Terminal& terminal) {
  CURUPIRA_TRY(const auto request, request_of(invocation, arguments, terminal));
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  const Installation installation(invocation, *files, nullptr, nullptr, diagnostics);
  const registry::SourceTools& tools = *installation.tools().source_tools;
  CURUPIRA_TRY(const auto from, registry::make_carrier(tools, diagnostics, arguments.from));
  CURUPIRA_TRY(const auto to, registry::make_writable_carrier(tools, diagnostics, arguments.to));
  CURUPIRA_TRY(const auto scratch, registry::ScratchFolder::create(*files, invocation.home, "copy-"));
  CopyProgress progress(terminal, installation.clock());
  const auto report =
      registry::copy_registry({.files = *files, .clock = installation.clock(), .scratch = scratch.path()},
                              *from, *to, request, progress);
  progress.clear();
  if (!report) return fail(report.error());
  if (invocation.common.json)
    terminal.out() << json::write_pretty(to_json(*report, arguments));
  else
    print(terminal, *report, arguments);
  return 0;
}

}  // namespace curupira::cli
