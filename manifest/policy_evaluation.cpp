#include "manifest/policy_evaluation.h"

#include <algorithm>
#include <set>

#include "base/printable.h"

namespace curupira::manifest {
namespace {

std::string in_quotes(std::string_view text) {
  return "\"" + excerpt(text) + "\"";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + in_quotes(name);
  return "[" + text + "]";
}

/// PEP 503, as references are written: lower case, runs of '-', '_' and '.' are one '-'.
std::string pip_name(std::string_view name) {
  std::string normal;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '.') {
      if (!normal.ends_with('-')) normal.push_back('-');
    } else {
      normal.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  return normal;
}

/// "npm:@acme/x" of the package that a launch table names; nothing for one that names a program.
std::optional<std::string> package_of(const Launch& launch) {
  if (const auto* npx = std::get_if<NpxLaunch>(&launch)) return "npm:" + npx->package;
  if (const auto* uvx = std::get_if<UvxLaunch>(&launch)) {
    return "pip:" + pip_name(uvx->package.substr(0, uvx->package.find_first_of("[=<>!~ ;@")));
  }
  return std::nullopt;
}

/// The receipts' word for a curupira registry's name.
constexpr std::string_view registry_source = "curupira:";

/// The reference of a receipt without version and digest.
std::string reference_of(const Receipt& receipt) {
  if (receipt.source.starts_with(registry_source))
    return receipt.source.substr(registry_source.size()) + ":" + receipt.package;
  if (receipt.source == "npm") return "npm:" + receipt.package;
  if (receipt.source == "pip") return "pip:" + pip_name(receipt.package);
  if (receipt.source == "archive")
    return "archive:" + receipt.reference.substr(0, receipt.reference.rfind("#sha256="));
  return receipt.reference;
}

/// What `artifact` is to the policy; nothing for a file of the extension's own folder.
std::optional<PolicyPackage> package_of(const ReceiptArtifact& artifact, const Receipt& receipt) {
  PolicyPackage package{.reference = {}, .version = artifact.version, .level = artifact.level};
  const bool is_first = &artifact == receipt.artifacts.data();
  const bool is_archive = receipt.source == "archive" && is_first;
  const bool is_release = receipt.source.starts_with(registry_source) &&
                          (is_first || artifact.package.starts_with(receipt.package + "/") ||
                           artifact.package.starts_with(receipt.package + ":"));
  if (is_release) {
    package.reference = reference_of(receipt);
  } else if (!is_archive && receipt.launch_type == "npx") {
    package.reference = "npm:" + artifact.package;
  } else if (!is_archive && receipt.launch_type == "uvx") {
    package.reference = "pip:" + pip_name(artifact.package);
  } else if (is_archive || artifact.location.find("://") != std::string::npos) {
    package.reference = is_archive ? reference_of(receipt) : "archive:" + artifact.location;
    package.version.clear();
  } else {
    return std::nullopt;
  }
  return package;
}

void check_levels(const Policy& policy, const PolicyFacts& facts, std::vector<PolicyViolation>& violations) {
  for (const PolicyPackage& package : facts.packages) {
    const MinimumLevel* const rule = policy.minimum_level(package.reference);
    if (rule == nullptr || (package.level && *package.level >= rule->level)) continue;
    const std::string label = package.reference + (package.version.empty() ? "" : " " + package.version);
    violations.push_back({.code = ErrorCode::policy_level,
                          .rule = "minimum_level " + in_quotes(name_of(rule->level)),
                          .position = rule->position,
                          .found = excerpt(label) + " has " +
                                   (package.level ? std::string(name_of(*package.level))
                                                  : "no verification by this program")});
  }
}

void check_size(const Policy& policy, const PolicyFacts& facts, std::vector<PolicyViolation>& violations) {
  if (!policy.max_package_size || !facts.size || *facts.size <= policy.max_package_size->bytes) return;
  violations.push_back({.code = ErrorCode::policy_size,
                        .rule = "max_package_size of " + format_bytes(policy.max_package_size->bytes),
                        .position = policy.max_package_size->position,
                        .found = "with all that it needs it has " + format_bytes(*facts.size)});
}

void check_names(const Policy& policy, const PolicyFacts& facts, std::vector<PolicyViolation>& violations) {
  for (const auto& permission : facts.permissions) {
    if (!policy.permissions || policy.permissions->admit(permission)) continue;
    violations.push_back({.code = ErrorCode::policy_permission,
                          .rule = "permissions " + listed(policy.permissions->globs),
                          .position = policy.permissions->position,
                          .found = "it asks for " + in_quotes(permission)});
  }
  if (policy.runtimes && !policy.runtimes->admit(name_of(facts.runtime))) {
    violations.push_back({.code = ErrorCode::policy_runtime,
                          .rule = "runtimes " + listed(policy.runtimes->globs),
                          .position = policy.runtimes->position,
                          .found = "its runtime is " + in_quotes(name_of(facts.runtime))});
  }
}

}  // namespace

PolicyFacts policy_facts(const Manifest& manifest, const Receipt& receipt) {
  PolicyFacts facts{.reference = reference_of(receipt),
                    .packages = {},
                    .size = 0,
                    .permissions = manifest.permissions,
                    .runtime = manifest.runtime};
  const auto adopted = package_of(manifest.launch);
  for (const auto& artifact : receipt.artifacts) {
    *facts.size += artifact.size;
    auto package = package_of(artifact, receipt);
    if (!package) continue;
    // What the user did not ask for, nor the manifest of the folder or archive that he asked for.
    const bool is_program = package->reference.starts_with("archive:");
    package->dependency =
        !is_program && package->reference != facts.reference && package->reference != adopted;
    facts.packages.push_back(*std::move(package));
  }
  return facts;
}

PolicyFacts policy_facts(const InstalledExtension& extension) {
  if (extension.receipt) return policy_facts(extension.manifest, *extension.receipt);
  const Manifest& manifest = extension.manifest;
  const std::string reference =
      package_of(manifest.launch).value_or("path:" + extension.folder.lexically_normal().string());
  return {.reference = reference,
          .packages = {{.reference = reference, .version = manifest.version}},
          .size = std::nullopt,
          .permissions = manifest.permissions,
          .runtime = manifest.runtime};
}

std::optional<PolicyViolation> check_reference(const Policy& policy, std::string_view reference,
                                               bool dependency) {
  const auto matches = [&](const PolicyPattern& pattern) { return pattern.matches(reference); };
  const auto denied = std::ranges::find_if(policy.deny, matches);
  if (denied != policy.deny.end()) {
    return PolicyViolation{
        .code = ErrorCode::policy_reference,
        .rule = "deny " + in_quotes(denied->text),
        .position = denied->position,
        .found = excerpt(reference) + (dependency ? ", which comes with it," : "") + " is denied"};
  }
  if (dependency || !policy.allow || std::ranges::any_of(*policy.allow, matches)) return std::nullopt;
  std::vector<std::string> patterns;
  for (const auto& pattern : *policy.allow)
    patterns.push_back(pattern.text);
  return PolicyViolation{.code = ErrorCode::policy_reference,
                         .rule = "allow " + listed(patterns),
                         .position = policy.allow_position,
                         .found = excerpt(reference) + " is none of these"};
}

std::vector<PolicyViolation> check_extension(const Policy& policy, const PolicyFacts& facts) {
  std::vector<PolicyViolation> violations;
  std::set<std::string> checked;
  const auto add = [&](const std::string& reference, bool dependency) {
    if (!checked.insert(reference).second) return;
    if (auto violation = check_reference(policy, reference, dependency))
      violations.push_back(*std::move(violation));
  };
  add(facts.reference, false);
  for (const PolicyPackage& package : facts.packages)
    add(package.reference, package.dependency);
  check_levels(policy, facts, violations);
  check_size(policy, facts, violations);
  check_names(policy, facts, violations);
  return violations;
}

Error policy_error(const Policy& policy, std::span<const PolicyViolation> violations) {
  constexpr std::size_t most_shown = 20;
  std::string detail;
  for (std::size_t i = 0; i < violations.size() && i < most_shown; ++i) {
    const PolicyViolation& violation = violations[i];
    detail += (i == 0 ? "" : "\n") + policy.place(violation.position) + ": " + violation.rule + ": " +
              violation.found;
  }
  if (violations.size() > most_shown)
    detail += "\nand " + std::to_string(violations.size() - most_shown) + " more";
  return Error(violations.empty() ? ErrorCode::internal : violations.front().code, std::move(detail));
}

Result<> check_installed(const Policy& policy, const InstalledExtension& extension) {
  const auto violations = check_extension(policy, policy_facts(extension));
  if (violations.empty()) return {};
  return fail(policy_error(policy, violations)
                  .while_doing("starting " + printable(extension.manifest.name) + " " +
                               printable(extension.manifest.version)));
}

}  // namespace curupira::manifest
