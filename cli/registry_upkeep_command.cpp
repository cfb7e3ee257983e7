#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/counted.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "registry/repository_refresh.h"
#include "registry/repository_verify.h"

namespace curupira::cli {
namespace {

json::Object to_json(const registry::RepositoryReport& report) {
  json::Array problems;
  for (const registry::RepositoryProblem& each : report.problems) {
    json::Object object;
    object.set("where", each.where);
    object.set("error", error_to_json(each.error));
    problems.emplace_back(std::move(object));
  }
  json::Object document = registry_document("verify");
  document.set("sound", report.problems.empty());
  document.set("roles", report.roles);
  document.set("packages", report.packages);
  document.set("leftOut", report.left_out);
  document.set("versions", report.versions);
  document.set("artifacts", report.artifacts);
  document.set("mirrored", report.mirrored);
  document.set("bytes", report.bytes);
  document.set("problems", std::move(problems));
  return document;
}

}  // namespace

Result<int> registry_refresh_command(const Invocation& invocation, const RegistryRefreshArguments& arguments,
                                     Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(auto repository, session->open_for_change("refresh"));
  CURUPIRA_TRY(const auto outcome, registry::refresh(repository));
  if (invocation.common.json) {
    json::Object document = registry_document("refresh");
    document.set("adopted", json::Array(outcome.adopted.begin(), outcome.adopted.end()));
    document.set("renewed", json::Array(outcome.renewed.begin(), outcome.renewed.end()));
    document.set("searchRebuilt", outcome.search_rebuilt);
    document.set("expires", format_timestamp(repository.timestamp().common.expires));
    document.set("revision", revision_to_json(outcome.revision));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  for (const std::string& file : outcome.adopted)
    terminal.out() << "Shows " << printable(file) << '\n';
  if (!outcome.renewed.empty())
    terminal.out() << "Signed anew, before it expires: " << counted(outcome.renewed.size(), "role") << '\n';
  if (outcome.search_rebuilt) terminal.out() << "Made the search index\n";
  terminal.out() << "The registry is signed until " << format_timestamp(repository.timestamp().common.expires)
                 << '\n';
  print_what_waits(terminal, outcome.revision, arguments.place.folder.string());
  return 0;
}

Result<int> registry_verify_command(const Invocation& invocation, const RegistryVerifyArguments& arguments,
                                    Terminal& terminal) {
  CURUPIRA_TRY(const auto session, RegistrySession::open(invocation, arguments.place, terminal));
  CURUPIRA_TRY(const auto report, registry::verify_repository(session->tools(), session->place()));
  const int code = report.problems.empty() ? 0 : 1;
  if (invocation.common.json) {
    terminal.out() << json::write_pretty(to_json(report));
    return code;
  }
  for (const registry::RepositoryProblem& each : report.problems)
    terminal.out() << printable(each.where) << ": " << error_name(each.error.code()) << ' '
                   << each.error.summary() << '\n';
  if (report.left_out > 0)
    terminal.out() << "A copy with some packages only: " << counted(report.left_out, "package")
                   << (report.left_out == 1 ? " is" : " are") << " left out\n";
  terminal.out() << "Verified " << counted(report.roles, "role") << ", "
                 << counted(report.packages, "package") << ", " << counted(report.versions, "version")
                 << " and " << counted(report.artifacts, "artifact")
                 << (report.mirrored > 0 ? ", " + counted(report.mirrored, "mirrored file") : "") << " ("
                 << format_bytes(report.bytes) << "): "
                 << (code == 0 ? "all is as it should be"
                               : counted(report.problems.size(), "problem") + ", named above")
                 << '\n';
  return code;
}

}  // namespace curupira::cli
