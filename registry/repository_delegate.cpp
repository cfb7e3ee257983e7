#include <algorithm>

#include "base/printable.h"
#include "registry/repository_keys.h"
#include "registry/repository_roles.h"
#include "tuf/delegation_match.h"

namespace curupira::registry {
namespace {

constexpr std::size_t max_pattern_bytes = 130;
constexpr std::size_t shown_packages = 5;

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
  std::string list;
  for (std::size_t i = 0; i < std::min(taken.size(), shown_packages); ++i) {
    const auto name = PackageName::of_target(taken[i]);
    list += (i == 0 ? "" : ", ") + (name ? name->text() : excerpt(taken[i], 80));
  }
  return fail(Error(ErrorCode::delegation_invalid,
                    std::to_string(taken.size()) + (taken.size() == 1 ? " package has" : " packages have") +
                        " such a name already: " + list + (taken.size() > shown_packages ? ", …" : ""))
                  .with_help("delegate names before anything is published under them"));
}

}  // namespace

Result<RevisionOutcome> delegate(Repository& repository, const std::string& pattern, const std::string& role,
                                 const tuf::Key& key) {
  if (!is_pattern(pattern)) return fail(ErrorCode::delegation_invalid, "\"" + excerpt(pattern, 150) + "\"");
  if (!is_publisher_name(role))
    return fail(ErrorCode::delegation_invalid, "\"" + excerpt(role, 80) + "\" cannot be a publisher's name");
  const std::string path = "packages/" + pattern + ".json";
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

}  // namespace curupira::registry
