#include "installer/update.h"

#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "base/semver.h"
#include "installer/installed_receipts.h"
#include "registry/sources.h"

namespace curupira::installer {
namespace {

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

Result<std::vector<manifest::Receipt>> chosen(const InstallerTools& tools,
                                              std::span<const std::string> names) {
  auto receipts = installed_receipts(tools.files, tools.home);
  if (names.empty()) return receipts;
  std::vector<manifest::Receipt> result;
  for (const auto& name : names) {
    const auto found = std::ranges::find(receipts, name, &manifest::Receipt::name);
    if (found != receipts.end()) {
      result.push_back(*found);
      continue;
    }
    std::vector<std::string> known;
    for (const auto& receipt : receipts)
      known.push_back(receipt.name);
    Error error(ErrorCode::not_installed, in_quotes(name));
    if (const auto near = nearest_name(name, known))
      return fail(std::move(error).with_help("did you mean " + in_quotes(*near) + "?"));
    return fail(std::move(error));
  }
  return result;
}

bool has_age_rule(const InstallerTools& tools) {
  return tools.source_tools != nullptr && tools.source_tools->release_age.has_value();
}

bool is_of_curupira_registry(const manifest::Receipt& receipt) {
  return registry::registry_of_source(receipt.source).has_value();
}

bool has_registry(const manifest::Receipt& receipt) {
  return receipt.source == "npm" || receipt.source == "pip" || is_of_curupira_registry(receipt);
}

/// Without a minimum release age, only a registry of ours gives less than what is installed: when that was
/// taken back.
bool may_stay(const InstallerTools& tools, const manifest::Receipt& receipt) {
  return is_of_curupira_registry(receipt) || (has_age_rule(tools) && has_registry(receipt));
}

/// What may be chosen can be older than what is installed, or nothing, for its age or because what is
/// installed was taken back: then the installed one stays (npm/cli#9277).
bool stays(const InstallerTools& tools, const manifest::Receipt& receipt,
           const Result<registry::Resolution>& resolution) {
  if (!may_stay(tools, receipt)) return false;
  if (!resolution) {
    const ErrorCode code = resolution.error().code();
    return code == ErrorCode::policy_age || code == ErrorCode::release_yanked;
  }
  const auto chosen = SemVer::parse(resolution->version);
  const auto installed = SemVer::parse(receipt.version);
  return chosen && installed && *chosen < *installed;
}

/// Nothing else could be chosen, because all of it was taken back: whoever has it should know.
void say_why(const manifest::Receipt& receipt, const Result<registry::Resolution>& resolution,
             Diagnostics& diagnostics) {
  if (!resolution && resolution.error().code() == ErrorCode::release_yanked)
    diagnostics.warn(printable(receipt.name) + " stays as it is: " + resolution.error().detail());
}

}  // namespace

Result<std::vector<OutdatedExtension>> find_outdated(const InstallerTools& tools, Diagnostics& diagnostics,
                                                     InstallObserver& observer) {
  std::vector<OutdatedExtension> outdated;
  for (const auto& receipt : installed_receipts(tools.files, tools.home)) {
    if (!has_registry(receipt)) continue;
    CURUPIRA_TRY(const auto reference, registry::parse_reference(receipt.reference));
    observer.resolving(receipt.reference);
    auto resolution =
        registry::source_for(tools.sources, reference).resolve(reference, tools.platform, diagnostics);
    if (stays(tools, receipt, resolution)) {
      say_why(receipt, resolution, diagnostics);
      continue;
    }
    if (!resolution)
      return fail(std::move(resolution).error().while_doing("asking for " + printable(receipt.reference)));
    if (resolution->version != receipt.version)
      outdated.push_back({receipt.name, receipt.reference, receipt.version, resolution->version});
  }
  return outdated;
}

Result<PreparedInstall> prepare_update(const InstallerTools& tools, std::span<const std::string> names,
                                       const InstallOptions& options, Diagnostics& diagnostics,
                                       InstallObserver& observer) {
  CURUPIRA_TRY(const auto receipts, chosen(tools, names));
  std::vector<registry::Reference> references;
  for (const auto& receipt : receipts) {
    CURUPIRA_TRY(auto reference, registry::parse_reference(receipt.reference));
    if (may_stay(tools, receipt)) {
      CollectedDiagnostics said;  // what is resolved again says it again
      const auto resolution =
          registry::source_for(tools.sources, reference).resolve(reference, tools.platform, said);
      if (stays(tools, receipt, resolution)) {
        for (const Diagnostic& each : said.all)
          diagnostics.warn(each.text);
        say_why(receipt, resolution, diagnostics);
        continue;
      }
    }
    references.push_back(std::move(reference));
  }
  InstallOptions as_update = options;
  as_update.command = "update";
  return prepare_install(tools, references, as_update, diagnostics, observer);
}

std::vector<std::string> changes_to_accept(const InstallPlan& plan) {
  std::vector<std::string> changes;
  for (const auto& extension : plan.extensions) {
    if (extension.action != PlannedExtension::Action::replace || !extension.before) continue;
    const auto& before = *extension.before;
    for (const auto& permission : extension.permissions)
      if (std::ranges::find(before.permissions, permission) == before.permissions.end())
        changes.push_back(printable(extension.name) + " asks for the permission " + in_quotes(permission));
    for (const LoweredLevel& lowered : before.lowered)
      changes.push_back(printable(extension.name) + " is vouched for less: " + to_string(lowered));
  }
  return changes;
}

}  // namespace curupira::installer
