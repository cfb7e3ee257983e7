#include "installer/mirror_registries.h"

#include <algorithm>

#include "registry/carriers.h"
#include "registry/registry_clients.h"
#include "registry/registry_trust.h"
#include "registry/scratch_folder.h"

namespace curupira::installer {
namespace {

std::filesystem::path folder_of_copies(const registry::RepositoryFolder& folder) {
  return folder.path() / "registries";
}

/// What was confirmed here: in the settings, or by `registry add`.
registry::CopyTrust trust_of(const InstallerTools& tools, const manifest::RegistrySettings& settings) {
  if (settings.root_fingerprint) return {.fingerprint = settings.root_fingerprint};
  return {.fingerprint = registry::RegistryTrust(tools.files, tools.home, settings.name).first_root()};
}

}  // namespace

Result<std::vector<std::string>> mirrored_registries(const registry::RepositoryFolder& folder) {
  auto names = folder.files().list(folder_of_copies(folder));
  if (!names && names.error().code() == ErrorCode::file_not_found) return std::vector<std::string>();
  if (!names) return fail(std::move(names).error());
  std::erase_if(*names, [](const std::string& name) { return !manifest::is_registry_name(name); });
  std::ranges::sort(*names);
  return names;
}

Result<std::vector<MirroredRegistry>> copy_registries(
    const InstallerTools& tools, const registry::RepositoryFolder& folder,
    const std::map<std::string, std::set<std::string>>& packages, bool dry_run, const Clock& clock,
    Diagnostics& diagnostics, registry::CopyObserver& observer) {
  std::vector<MirroredRegistry> copies;
  if (packages.empty()) return copies;
  const registry::SourceTools& sources = *tools.source_tools;
  CURUPIRA_TRY(const auto scratch, registry::ScratchFolder::create(tools.files, tools.home, "mirror-"));
  for (const auto& [name, wanted] : packages) {
    CURUPIRA_CHECK(registry::check_registry_known(sources, name));
    const auto settings = std::ranges::find(*sources.registries, name, &manifest::RegistrySettings::name);
    CURUPIRA_TRY(const auto from,
                 registry::make_carrier(sources, diagnostics, settings->url, settings->mirrors));
    CURUPIRA_TRY(const auto to, registry::make_writable_carrier(sources, diagnostics,
                                                                (folder_of_copies(folder) / name).string()));
    auto report =
        registry::copy_registry({.files = tools.files, .clock = clock, .scratch = scratch.path()}, *from, *to,
                                {.trust = trust_of(tools, *settings),
                                 .packages = wanted,
                                 .dry_run = dry_run,
                                 .lock = {.who = "mirror"}},
                                observer);
    if (!report) return fail(std::move(report).error().while_doing("mirroring the registry " + name));
    copies.push_back({name, *std::move(report)});
  }
  return copies;
}

}  // namespace curupira::installer
