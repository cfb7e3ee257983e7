#include <algorithm>

#include "base/printable.h"
#include "installer/agreement.h"
#include "installer/lock_python.h"
#include "installer/prepared_extension.h"
#include "installer/python_closure.h"
#include "installer/python_environment.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + printable(name);
  return text.empty() ? "none" : text;
}

Result<manifest::ReceiptCommand> command_for(const PythonDistribution& distribution,
                                             const std::string& script) {
  const auto path = RelativePath::parse("bin/" + script);
  const auto& scripts = distribution.console_scripts;
  if (!path || std::find(scripts.begin(), scripts.end(), script) == scripts.end())
    return fail(
        ErrorCode::bin_not_found,
        "\"" + printable(script) + "\" is no console script of the distribution; it has " + list_of(scripts));
  return manifest::ReceiptCommand{.interpreter = manifest::ReceiptCommand::Interpreter::venv_python,
                                  .entry = *path};
}

/// The script that is asked for the manifest: named like the package, or the only one.
Result<std::string> probe_script(const PythonDistribution& distribution, const std::string& package) {
  const auto& scripts = distribution.console_scripts;
  for (const auto& script : scripts)
    if (registry::normalize_pip_name(script) == package) return script;
  if (scripts.size() == 1) return scripts.front();
  if (scripts.empty())
    return fail(Error(ErrorCode::bin_not_found, printable(package) + " has no console script")
                    .with_help("the distribution needs an entry point in [project.scripts]"));
  return fail(ErrorCode::bin_ambiguous, printable(package) + " has the console scripts " + list_of(scripts));
}

}  // namespace

Result<PreparedExtension> prepare_pip(const Preparation& preparation, const registry::Resolution& resolution,
                                      const PublishedManifest* given) {
  const auto& closure = std::get<registry::PythonClosure>(resolution.content);
  const std::string label = printable("pip:" + resolution.package + "==" + resolution.version);
  const InstallRun& run = preparation.run;
  CURUPIRA_TRY(const auto wheels, fetch_verified(preparation, resolution.artifacts));
  const registry::PythonLock* const closure_lock = preparation.resolver.python_lock(resolution.package);
  run.observer.assembling(label);
  CURUPIRA_TRY(InstalledContent content, assemble_python_environment(run, closure, wheels));
  if (preparation.recheck_closure && closure_lock != nullptr)
    CURUPIRA_CHECK(check_python_closure(run, closure, wheels, *closure_lock));
  CURUPIRA_TRY(const PythonDistribution distribution,
               find_distribution(run.files, content.folder, closure.root));

  std::optional<PublishedManifest> published;
  if (given != nullptr) {
    published = *given;
  } else if (distribution.manifest_file) {
    CURUPIRA_TRY(published,
                 read_published(run.files, *distribution.manifest_file,
                                std::filesystem::path(resolution.package) / manifest::manifest_file_name,
                                preparation.diagnostics));
  }
  if (!published) {
    CURUPIRA_TRY(const std::string script, probe_script(distribution, closure.root));
    CURUPIRA_TRY(const auto command, command_for(distribution, script));
    CURUPIRA_TRY(published, probe_published(run, preparation.tools, preparation.options, content, command,
                                            label, preparation.diagnostics));
  }
  CURUPIRA_CHECK(check_agreement(published->manifest, {.source = "pip",
                                                       .package = resolution.package,
                                                       .version = resolution.version,
                                                       .probed = published->probed}));
  const auto& launch = std::get<manifest::UvxLaunch>(published->manifest.launch);
  CURUPIRA_TRY(manifest::ReceiptCommand command, command_for(distribution, launch.executable));
  command.args = launch.args;
  auto receipts = receipts_from_registry(wheels);
  std::vector<LockedArtifact> locked;
  if (closure_lock != nullptr) {
    locked = locked_python(*closure_lock);
  } else {
    for (const auto& wheel : wheels)
      locked.push_back(locked_artifact(wheel, preparation.tools.platform));
  }
  PreparedExtension prepared =
      make_prepared(resolution.reference, resolution.package, std::move(*published), std::move(receipts),
                    std::move(content), std::move(command), std::move(locked));
  if (closure_lock != nullptr) prepared.locked.python = closure_lock->python;
  return prepared;
}

}  // namespace curupira::installer
