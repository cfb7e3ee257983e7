#include "cli/policy_file.h"

#include "base/printable.h"
#include "cli/settings_file.h"
#include "manifest/policy_settings.h"

namespace curupira::cli {

Result<manifest::Policy> read_policy(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                     Diagnostics& diagnostics) {
  const auto file = (invocation.current_folder / settings_path(invocation)).lexically_normal();
  const auto text = files.read_file(file, manifest::max_settings_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found && !invocation.common.config)
      return manifest::Policy{.file = file};
    if (text.error().code() == ErrorCode::file_not_found)
      return fail(ErrorCode::settings_missing, printable(file.string()));
    return fail(Error(text.error()).while_doing("reading the policy"));
  }
  return manifest::parse_policy(*text, file, settings_folders(invocation), diagnostics);
}

std::optional<registry::ReleaseAge> release_age(const manifest::Policy& policy, const Clock& clock) {
  if (!policy.minimum_release_age) return std::nullopt;
  const auto& rule = *policy.minimum_release_age;
  return registry::ReleaseAge{
      .now = std::chrono::floor<std::chrono::seconds>(clock.now()),
      .minimum = rule.age,
      .rule = policy.place(rule.position) + ": minimum_release_age \"" + rule.text + "\""};
}

std::optional<registry::MetadataAge> metadata_age(const manifest::Policy& policy) {
  if (!policy.registry_metadata_max_age) return std::nullopt;
  const auto& rule = *policy.registry_metadata_max_age;
  return registry::MetadataAge{
      .maximum = rule.age,
      .rule = policy.place(rule.position) + ": registry_metadata_max_age \"" + rule.text + "\""};
}

std::optional<std::string> yanked_rule(const manifest::Policy& policy) {
  if (!policy.allow_yanked || policy.allow_yanked->allowed) return std::nullopt;
  return policy.place(policy.allow_yanked->position) + ": allow_yanked = false";
}

}  // namespace curupira::cli
