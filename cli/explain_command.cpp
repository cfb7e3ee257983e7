#include <ostream>

#include "base/file_system.h"
#include "cli/command.h"
#include "cli/installed.h"
#include "cli/proof_text.h"
#include "cli/report.h"

namespace curupira::cli {

Result<int> explain_command(const Invocation& invocation, const VerifyArguments& arguments,
                            Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  const auto installed = discover_installed(invocation, *files, diagnostics);
  std::vector<const manifest::InstalledExtension*> chosen;
  for (const auto& name : arguments.names) {
    const auto* const extension = installed.find(name);
    if (extension == nullptr) return fail(not_installed(name, installed));
    if (!extension->receipt) return fail(ErrorCode::not_managed, "\"" + name + "\"");
    chosen.push_back(extension);
  }
  if (arguments.names.empty())
    for (const auto& extension : installed.extensions)
      if (extension.receipt) chosen.push_back(&extension);

  const installer::Store store(invocation.home, *files);
  bool holds = true;
  json::Array extensions;
  for (const auto* const extension : chosen) {
    CURUPIRA_TRY(const auto proofs, installer::explain_proofs(store, *extension->receipt));
    for (const auto& proof : proofs)
      holds = holds && !proof.problem && proof.blob_there;
    if (invocation.common.json)
      extensions.push_back(proofs_to_json(*extension->receipt, proofs));
    else
      print_proofs(terminal, *extension->receipt, proofs);
  }
  if (invocation.common.json) {
    json::Object document;
    document.set("schema", "curupira.plugins.explain.v1");
    document.set("extensions", std::move(extensions));
    terminal.out() << json::write_pretty(document);
  }
  return holds ? 0 : 1;
}

}  // namespace curupira::cli
