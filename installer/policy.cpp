#include "installer/policy.h"

#include <algorithm>

#include "base/printable.h"
#include "manifest/policy_evaluation.h"

namespace curupira::installer {
namespace {

Error size_error(const manifest::Policy& policy, std::string found) {
  const manifest::PolicyViolation violation{
      .code = ErrorCode::policy_size,
      .rule = "max_package_size of " + format_bytes(policy.max_package_size->bytes),
      .position = policy.max_package_size->position,
      .found = std::move(found)};
  return manifest::policy_error(policy, std::span(&violation, 1));
}

}  // namespace

Result<> check_references(const manifest::Policy& policy, std::span<const registry::Reference> references,
                          const std::filesystem::path& current_folder) {
  std::vector<manifest::PolicyViolation> violations;
  for (const auto& reference : references) {
    const std::string name = registry::name_in_policy(registry::anchored(reference, current_folder));
    if (auto violation = manifest::check_reference(policy, name)) violations.push_back(*std::move(violation));
  }
  if (violations.empty()) return {};
  return fail(manifest::policy_error(policy, violations));
}

Result<> check_promised_size(const manifest::Policy& policy, std::span<const registry::Artifact> artifacts) {
  if (!policy.max_package_size) return {};
  // Each promise is somebody else's word: the sum may not fit into a number.
  std::uint64_t rest = policy.max_package_size->bytes;
  for (const auto& artifact : artifacts) {
    const std::uint64_t size = artifact.proof.size.value_or(0);
    if (size > rest) return fail(size_error(policy, "with all that it needs it is larger"));
    rest -= size;
  }
  return {};
}

FetchLimits limits_under(const manifest::Policy& policy, FetchLimits limits) {
  if (policy.max_package_size)
    limits.max_artifact = std::min(limits.max_artifact, policy.max_package_size->bytes);
  return limits;
}

Error explain_limit(const manifest::Policy& policy, const FetchLimits& limits, Error error) {
  const bool too_large =
      error.code() == ErrorCode::artifact_too_large || error.code() == ErrorCode::response_too_large;
  if (!too_large || !policy.max_package_size || policy.max_package_size->bytes >= limits.max_artifact)
    return error;
  return size_error(policy, "a file of it alone is larger").caused_by(std::move(error));
}

Result<> check_prepared(const manifest::Policy& policy, const manifest::Manifest& manifest,
                        const manifest::Receipt& receipt) {
  const auto violations = manifest::check_extension(policy, manifest::policy_facts(manifest, receipt));
  if (violations.empty()) return {};
  return fail(manifest::policy_error(policy, violations));
}

Result<> check_kept(const manifest::Policy& policy, const ReadOnlyFileSystem& files, const HomeLayout& home,
                    const std::string& name) {
  CollectedDiagnostics ignored;
  const auto found = manifest::discover(files, {home.extensions() / name}, ignored);
  for (const auto& extension : found.extensions) {
    const auto violations = manifest::check_extension(policy, manifest::policy_facts(extension));
    if (!violations.empty())
      return fail(manifest::policy_error(policy, violations)
                      .while_doing("keeping " + printable(extension.manifest.name)));
  }
  return {};
}

}  // namespace curupira::installer
