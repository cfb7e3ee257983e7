#include "cli/verify_command.h"

#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/counted.h"
#include "cli/lock_settings.h"
#include "cli/progress.h"

namespace curupira::cli {
namespace {

using installer::Finding;
using installer::Verification;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

std::string place_of(const Finding& finding) {
  return (finding.difference.path.empty() ? finding.path : finding.path / finding.difference.path).string();
}

}  // namespace

void print_finding(Terminal& terminal, const Finding& finding) {
  auto& out = terminal.out();
  const std::string users = finding.extensions.empty() ? "" : " of " + joined(finding.extensions);
  out << terminal.out_styled(Terminal::Style::red, name_of(finding.difference.kind)) << "  "
      << name_of(finding.object) << users << ": " << printable(place_of(finding)) << '\n';
  if (!finding.difference.expected.empty())
    out << "    expected " << printable(finding.difference.expected) << '\n';
  if (!finding.difference.found.empty())
    out << "    found    " << printable(finding.difference.found) << '\n';
}

json::Object finding_to_json(const Finding& finding) {
  json::Array extensions;
  for (const auto& name : finding.extensions)
    extensions.emplace_back(name);
  json::Object object;
  object.set("object", name_of(finding.object));
  object.set("name", finding.name);
  object.set("problem", name_of(finding.difference.kind));
  object.set("path", finding.path.string());
  if (!finding.difference.path.empty()) object.set("file", finding.difference.path);
  if (!finding.difference.expected.empty()) object.set("expected", finding.difference.expected);
  if (!finding.difference.found.empty()) object.set("found", finding.difference.found);
  object.set("extensions", std::move(extensions));
  return object;
}

void print_verification(Terminal& terminal, const Verification& result) {
  for (const auto& finding : result.findings)
    print_finding(terminal, finding);
  for (const auto& note : result.notes)
    terminal.out() << "note: " << printable(note) << '\n';
  terminal.out() << counted(result.extensions, "extension") << ", " << counted(result.files, "file") << ", "
                 << counted(result.blobs, "artifact") << ": ";
  if (result.findings.empty())
    terminal.out() << "all as they were installed\n";
  else
    terminal.out() << counted(result.findings.size(), "difference") << '\n';
}

json::Object verification_to_json(const Verification& result, std::string_view schema) {
  json::Array findings, notes;
  for (const auto& finding : result.findings)
    findings.emplace_back(finding_to_json(finding));
  for (const auto& note : result.notes)
    notes.emplace_back(note);
  json::Object checked;
  checked.set("extensions", static_cast<std::uint64_t>(result.extensions));
  checked.set("blobs", static_cast<std::uint64_t>(result.blobs));
  checked.set("trees", static_cast<std::uint64_t>(result.trees));
  checked.set("environments", static_cast<std::uint64_t>(result.environments));
  checked.set("files", result.files);
  json::Object document;
  document.set("schema", schema);
  document.set("ok", result.findings.empty());
  document.set("checked", std::move(checked));
  document.set("findings", std::move(findings));
  document.set("notes", std::move(notes));
  return document;
}

Result<int> verify_command(const Invocation& invocation, const VerifyArguments& arguments,
                           Terminal& terminal) {
  if (arguments.repair) return repair_command(invocation, arguments, terminal);
  if (arguments.explain) return explain_command(invocation, arguments, terminal);
  const auto files = make_posix_file_system();
  const SystemClock clock;
  InstallProgress progress(terminal, clock);
  CURUPIRA_TRY(const auto result, installer::verify_extensions(invocation.home, *files, arguments.names,
                                                               progress, lock_path(invocation)));
  if (invocation.common.json)
    terminal.out() << json::write_pretty(verification_to_json(result, "curupira.plugins.verify.v1"));
  else
    print_verification(terminal, result);
  return result.findings.empty() ? 0 : 1;
}

Result<int> cache_verify_command(const Invocation& invocation, Terminal& terminal) {
  const auto files = make_posix_file_system();
  const SystemClock clock;
  InstallProgress progress(terminal, clock);
  CURUPIRA_TRY(const auto result, installer::verify_store(invocation.home, *files, progress));
  if (invocation.common.json)
    terminal.out() << json::write_pretty(verification_to_json(result, "curupira.cache.verify.v1"));
  else
    print_verification(terminal, result);
  return result.findings.empty() ? 0 : 1;
}

}  // namespace curupira::cli
