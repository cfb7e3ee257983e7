#include "installer/artifact_place.h"

#include <span>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "installer/any_age.h"
#include "registry/locked_npm.h"
#include "registry/python_lock.h"

namespace curupira::installer {
namespace {

/// The file's name in its registry: what comes after the last slash of an address.
std::string file_name_of(const manifest::ReceiptArtifact& wanted) {
  return wanted.location.substr(wanted.location.rfind('/') + 1);
}

Result<registry::Artifact> npm_place(const InstallerTools& tools, registry::Artifact artifact,
                                     bool ask_registry, Diagnostics& diagnostics) {
  CURUPIRA_TRY(auto configuration, registry::NpmConfiguration::load(*tools.source_tools, diagnostics));
  registry::LockedNpm npm(*tools.source_tools, std::move(configuration));
  const registry::LockedTarball tarball{artifact.package, artifact.version, artifact.file_name};
  if (ask_registry) {
    CURUPIRA_TRY(auto addresses, npm.published_addresses(std::span(&tarball, 1)));
    artifact.location = std::move(addresses.front());
  } else {
    CURUPIRA_TRY(artifact.location, npm.usual_address(tarball));
  }
  artifact.credentials = npm.credentials();
  return artifact;
}

Result<registry::Artifact> python_place(const InstallerTools& tools, const registry::Artifact& artifact) {
  const registry::ChosenWheel wheel{
      artifact.package,
      artifact.version,
      {.name = artifact.file_name, .sha256 = artifact.proof.any_of.front(), .size = artifact.proof.size}};
  CURUPIRA_TRY(auto located, registry::locate_wheels(*tools.source_tools, std::span(&wheel, 1),
                                                     [](const Digest&) { return false; }));
  return std::move(located.front());
}

/// A file of the release, which its registry has to vouch for today; nothing for one of a closure that its
/// manifest points to.
Result<std::optional<registry::Artifact>> release_place(const InstallerTools& tools,
                                                        const manifest::Receipt& receipt,
                                                        const Digest& digest, Diagnostics& diagnostics) {
  const AnyAge as_locked(tools);
  CURUPIRA_TRY(auto reference, registry::parse_reference(receipt.reference));
  reference = registry::pinned(std::move(reference), receipt.version);
  CURUPIRA_TRY(auto release, registry::source_for(as_locked.tools().sources, reference)
                                 .resolve(reference, tools.platform, diagnostics));
  for (auto& file : release.artifacts)
    if (file.proof.any_of.front() == digest) return std::optional(std::move(file));
  return std::optional<registry::Artifact>();
}

}  // namespace

Result<registry::Artifact> place_of_artifact(const InstallerTools& tools, const manifest::Receipt& receipt,
                                             const manifest::ReceiptArtifact& wanted, bool ask_registry,
                                             Diagnostics& diagnostics) {
  registry::Artifact artifact{.package = wanted.package,
                              .version = wanted.version,
                              .file_name = file_name_of(wanted),
                              .location = std::filesystem::path(wanted.location),
                              .proof = {.any_of = {wanted.digest}, .size = wanted.size}};
  const bool from_registry = receipt.source == "npm" || receipt.source == "pip";
  if (from_registry && tools.source_tools == nullptr)
    return fail(ErrorCode::internal, "no registry can be asked");
  if (receipt.source == "npm") return npm_place(tools, std::move(artifact), ask_registry, diagnostics);
  if (receipt.source == "pip") return python_place(tools, artifact);
  if (registry::registry_of_source(receipt.source)) {
    CURUPIRA_TRY(auto file, release_place(tools, receipt, wanted.digest, diagnostics));
    if (file) return *std::move(file);
  }
  if (wanted.location.find("://") != std::string::npos) {
    CURUPIRA_TRY(artifact.location, Url::parse(wanted.location));
  }
  return artifact;
}

}  // namespace curupira::installer
