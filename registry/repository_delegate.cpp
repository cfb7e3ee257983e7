#include <algorithm>

#include "base/printable.h"
#include "registry/repository_keys.h"
#include "registry/repository_roles.h"
#include "tuf/delegation_match.h"

namespace curupira::registry {
namespace {

constexpr std::size_t max_pattern_bytes = 130;
constexpr std::size_t shown_packages = 5;
const std::string packages_folder = "packages/";
const std::string target_ending = ".json";

bool is_pattern(std::string_view text) {
  const auto is_part = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
             c == '*' || c == '?';
    });
  };
  if (text.size() > max_pattern_bytes) return false;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_part(text);
  return text.front() == '@' && is_part(text.substr(1, slash - 1)) && is_part(text.substr(slash + 1));
}

/// "a, b, …": names of packages or their targets.
std::string first_of(const std::vector<std::string>& all) {
  std::string list;
  for (std::size_t i = 0; i < std::min(all.size(), shown_packages); ++i) {
    const auto name = PackageName::of_target(all[i]);
    list += (i == 0 ? "" : ", ") + (name ? name->text() : excerpt(all[i], 80));
  }
  return list + (all.size() > shown_packages ? ", …" : "");
}

/// Their present signer would be asked no more: clients would lose them.
Result<> check_unused(Repository& repository, const std::string& path) {
  std::vector<std::string> taken;
  const auto look_at = [&](const TargetsRole& role) -> Result<> {
    CURUPIRA_TRY(const auto content, repository.read(role));
    if (!content) return {};
    for (const auto& [target, file] : content->targets)
      if (tuf::path_matches(path, target)) taken.push_back(target);
    return {};
  };
  CURUPIRA_TRY(const auto bins, repository.bin_roles());
  for (const TargetsRole& bin : bins)
    CURUPIRA_CHECK(look_at(bin));
  if (taken.empty()) return {};
  return fail(Error(ErrorCode::delegation_invalid,
                    std::to_string(taken.size()) + (taken.size() == 1 ? " package has" : " packages have") +
                        " such a name already: " + first_of(taken))
                  .with_help("delegate names before anything is published under them"));
}

bool matches_one(const std::vector<std::string>& paths, std::string_view target) {
  return std::ranges::any_of(paths, [&](const std::string& path) { return tuf::path_matches(path, target); });
}

/// Targets that are found by way of the role's patterns, and not by way of those that it keeps.
Result<std::vector<std::string>> lost_packages(Repository& repository, const tuf::DelegatedRole& role,
                                               const std::vector<std::string>& kept) {
  const auto content = repository.delegated_role(role.name).and_then(
      [&](const TargetsRole& each) { return repository.read(each); });
  // Signed with keys that do not count any more, it has no packages.
  if (!content || !*content) return std::vector<std::string>{};
  std::vector<std::string> lost;
  for (const auto& [target, file] : (*content)->targets) {
    const auto name = PackageName::of_target(target);
    if (name && matches_one(*role.paths, target) && !matches_one(kept, target)) lost.push_back(name->text());
  }
  return lost;
}

void drop_unused_keys(tuf::Delegations& delegations) {
  std::erase_if(delegations.keys, [&](const auto& key) {
    return std::ranges::none_of(*delegations.roles, [&](const tuf::DelegatedRole& role) {
      return std::ranges::find(role.keys.key_ids, key.first) != role.keys.key_ids.end();
    });
  });
}

}  // namespace

Result<RevisionOutcome> delegate(Repository& repository, const std::string& pattern, const std::string& role,
                                 const tuf::Key& key) {
  if (!is_pattern(pattern)) return fail(ErrorCode::delegation_invalid, "\"" + excerpt(pattern, 150) + "\"");
  if (!is_publisher_name(role))
    return fail(ErrorCode::delegation_invalid, "\"" + excerpt(role, 80) + "\" cannot be a publisher's name");
  const std::string path = packages_folder + pattern + target_ending;
  CURUPIRA_TRY(const tuf::Targets* const present, repository.targets());
  tuf::Targets top = *present;
  if (!top.delegations || !top.delegations->roles)
    return fail(ErrorCode::registry_missing, "its metadata has no bins");
  CURUPIRA_CHECK(check_unused(repository, path));
  auto& roles = *top.delegations->roles;
  const tuf::RoleKeys keys{.key_ids = {key.id()}};
  Revision revision(repository);
  if (const auto known = std::ranges::find(roles, role, &tuf::DelegatedRole::name); known != roles.end()) {
    if (known->keys != keys)
      return fail(Error(ErrorCode::delegation_invalid, role + " is there, with other keys")
                      .with_help("`curupira registry keys add DIR " + role +
                                 "` adds a key; --name NAME makes another publisher"));
    if (std::ranges::find(*known->paths, path) != known->paths->end())
      return fail(ErrorCode::already_so, printable(pattern) + " belongs to " + role);
    known->paths->push_back(path);
  } else {
    const auto behind_publishers = std::ranges::find_if_not(
        roles, [](const tuf::DelegatedRole& each) { return is_publisher_name(each.name); });
    roles.insert(behind_publishers, {.name = role, .keys = keys, .terminating = true, .paths = {{path}}});
    top.delegations->keys.insert_or_assign(key.id(), key);
    // Empty, so that clients are told of a name that is not there, and not of metadata that is not there.
    if (repository.tools().keys.can_sign(keys))
      revision.put({.name = role, .keys = keys, .table = {{key.id(), key}}}, tuf::Targets{});
  }
  revision.put(repository.top_role(), std::move(top));
  return revision.commit();
}

Result<UndelegateOutcome> undelegate(Repository& repository, const UndelegateRequest& request) {
  CURUPIRA_TRY(const tuf::Targets* const present, repository.targets());
  tuf::Targets top = *present;
  if (!top.delegations || !top.delegations->roles)
    return fail(ErrorCode::registry_missing, "its metadata has no bins");
  auto& roles = *top.delegations->roles;
  const std::string path = packages_folder + request.what + target_ending;
  const auto found = std::ranges::find_if(roles, [&](const tuf::DelegatedRole& role) {
    return is_publisher_name(role.name) && role.paths &&
           (role.name == request.what || std::ranges::find(*role.paths, path) != role.paths->end());
  });
  if (found == roles.end())
    return fail(ErrorCode::registry_role, "nobody has the names \"" + excerpt(request.what, 150) + "\"");
  std::vector<std::string> kept;
  if (found->name != request.what) {
    kept = *found->paths;
    std::erase(kept, path);
  }
  UndelegateOutcome outcome{.revision = {}, .role = found->name};
  CURUPIRA_TRY(outcome.packages, lost_packages(repository, *found, kept));
  if (!outcome.packages.empty() && !request.with_packages)
    return fail(Error(ErrorCode::delegation_invalid,
                      "clients would lose " + std::to_string(outcome.packages.size()) +
                          (outcome.packages.size() == 1 ? " package: " : " packages: ") +
                          first_of(outcome.packages))
                    .with_help("--with-packages takes them away as well; who has one installed keeps it"));
  for (const std::string& each : *found->paths)
    if (std::ranges::find(kept, each) == kept.end())
      outcome.patterns.push_back(
          each.substr(packages_folder.size(), each.size() - packages_folder.size() - target_ending.size()));
  if (kept.empty())
    roles.erase(found);
  else
    found->paths = kept;
  drop_unused_keys(*top.delegations);
  Revision revision(repository);
  revision.put(repository.top_role(), std::move(top));
  CURUPIRA_TRY(outcome.revision, revision.commit());
  return outcome;
}

}  // namespace curupira::registry
