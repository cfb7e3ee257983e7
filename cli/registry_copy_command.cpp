#include <algorithm>
#include <chrono>
#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/counted.h"
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

/// One line on a terminal, and nothing elsewhere.
class CopyProgress final : public registry::CopyObserver {
 public:
  CopyProgress(Terminal& terminal, const Clock& clock)
      : terminal_(terminal), clock_(clock), drawn_(clock.steady_now()) {}
  ~CopyProgress() override { clear(); }

  void copying(const std::string& file, const registry::CopyCount& so_far) override {
    const auto now = clock_.steady_now();
    if (!terminal_.progress_visible() || now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    open_ = true;
    terminal_.err() << "\r\x1b[K" << counted(so_far.indexes + so_far.artifacts, "file") << ", "
                    << format_bytes(so_far.bytes) << ": " << excerpt(file.substr(file.rfind('/') + 1), 60)
                    << std::flush;
  }
  void clear() {
    if (open_) terminal_.err() << "\r\x1b[K" << std::flush;
    open_ = false;
  }

 private:
  Terminal& terminal_;
  const Clock& clock_;
  std::chrono::steady_clock::time_point drawn_;
  bool open_ = false;
};

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

json::Object to_json(const registry::CopyCount& count) {
  json::Object object;
  object.set("metadata", count.metadata);
  object.set("indexes", count.indexes);
  object.set("artifacts", count.artifacts);
  object.set("bytes", count.bytes);
  return object;
}

bool is_nothing(const registry::CopyCount& count) {
  return count.metadata + count.indexes + count.artifacts == 0;
}

json::Object to_json(const registry::CopyReport& report, const RegistryCopyArguments& arguments) {
  json::Object document = registry_document("copy");
  document.set("from", arguments.from);
  document.set("to", arguments.to);
  document.set("dryRun", arguments.dry_run);
  document.set("snapshot", report.snapshot);
  document.set("expires", format_timestamp(report.expires));
  document.set("copied", to_json(report.copied));
  document.set("there", to_json(report.there));
  document.set("roles", report.roles);
  document.set("sameRoles", report.same_roles);
  document.set("expired", json::Array(report.expired.begin(), report.expired.end()));
  if (report.packages)
    document.set("packages", json::Array(report.packages->begin(), report.packages->end()));
  else
    document.set("packages", nullptr);
  return document;
}

std::string text_of(const registry::CopyCount& count) {
  return counted(count.metadata, "metadata file") + ", " +
         (count.indexes == 1 ? "1 index" : std::to_string(count.indexes) + " indexes") + " and " +
         counted(count.artifacts, "artifact") + " (" + format_bytes(count.bytes) + ")";
}

void print(Terminal& terminal, const registry::CopyReport& report, const RegistryCopyArguments& arguments) {
  const std::string to = printable(arguments.to);
  if (is_nothing(report.copied))
    terminal.out() << to << " has all of it already\n";
  else
    terminal.out() << (arguments.dry_run ? "Would copy " : "Copied ") << text_of(report.copied) << " to "
                   << to << '\n';
  if (report.there.indexes + report.there.artifacts > 0)
    terminal.out() << "Already there: " << text_of(report.there) << '\n';
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
