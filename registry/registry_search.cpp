#include <algorithm>
#include <iterator>
#include <set>

#include "base/printable.h"
#include "registry/registry_client.h"
#include "registry/repository_roles.h"
#include "tuf/delegation_match.h"

namespace curupira::registry {
namespace {

/// Of one search. Beyond it what the index says counts: its keeper has to build it anew.
constexpr std::size_t max_changed_roles = 100;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return lower(c); });
  return text;
}

/// `words` in lower case.
bool has_all(const FoundPackage& package, const std::vector<std::string>& words) {
  std::string text = package.name.text() + "\n" + package.brief.summary;
  for (const std::string& trigger : package.brief.triggers)
    text += "\n" + trigger;
  text = lower(std::move(text));
  return std::ranges::all_of(words,
                             [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

/// Whether clients find the target in this role, as far as the delegations go that were read: in the first
/// that matches, and below "bins" in its bin.
bool is_found_in(const std::string& role, const tuf::TargetName& target, const tuf::Targets& top,
                 const tuf::Targets* bins) {
  if (!top.delegations) return false;
  const auto matching = tuf::matching_delegations(*top.delegations, target);
  if (matching.empty()) return false;
  if (matching.front().role != bins_role) return matching.front().role == role;
  if (bins == nullptr || !bins->delegations) return role.starts_with(bins_role);
  const auto below = tuf::matching_delegations(*bins->delegations, target);
  return !below.empty() && below.front().role == role;
}

/// The delegations that lead to a role of a registry.
std::vector<std::string> path_to(const std::string& role) {
  const bool is_bin = role.starts_with(bins_role) && !is_publisher_name(role);
  if (is_bin && role != bins_role) return {std::string(bins_role), role};
  return {role};
}

}  // namespace

Result<SearchIndex> RegistryClient::search_index() {
  CURUPIRA_TRY(const auto name, tuf::TargetName::parse(search_target));
  CURUPIRA_TRY(const auto info, client_->find_target(name));
  CURUPIRA_TRY(const std::string text, target(info, max_search_index_bytes));
  return parse_search_index(text);
}

Result<std::vector<std::string>> RegistryClient::changed_roles(const SearchIndex& index) {
  constexpr std::string_view ending = ".json";
  std::vector<std::string> changed;
  for (const auto& [file, meta] : client_->trusted().snapshot()->meta) {
    if (!file.ends_with(ending)) continue;
    std::string role = file.substr(0, file.size() - ending.size());
    if (tuf::is_top_level_role(role) || role == bins_role || role == search_role) continue;
    const auto known = index.roles.find(role);
    if (known == index.roles.end() || known->second != meta.version) changed.push_back(std::move(role));
  }
  if (changed.size() > max_changed_roles) {
    diagnostics_.warn("the search index of the registry " + settings_.name + " is far behind: of " +
                      std::to_string(changed.size()) + " files of metadata that have changed since, " +
                      std::to_string(max_changed_roles) + " are read");
    changed.resize(max_changed_roles);
  }
  return changed;
}

Result<std::vector<FoundPackage>> RegistryClient::packages_of(const std::string& role) {
  CURUPIRA_TRY(const auto targets, client_->delegated_targets(path_to(role)));
  std::vector<FoundPackage> packages;
  for (const auto& [target, file] : targets->targets) {
    auto name = PackageName::of_target(target);
    if (!name) continue;
    CURUPIRA_TRY(auto brief, read_custom(file.custom, printable(target)));
    packages.push_back({.name = *std::move(name), .brief = std::move(brief), .role = role});
  }
  return packages;
}

Result<std::vector<FoundPackage>> RegistryClient::all_packages() {
  CURUPIRA_TRY(SearchIndex index, search_index());
  CURUPIRA_TRY(const auto changed, changed_roles(index));
  std::set<std::string, std::less<>> replaced;
  std::vector<FoundPackage> fresh;
  for (const std::string& role : changed) {
    auto packages = packages_of(role);
    if (packages) {
      replaced.insert(role);
      std::ranges::move(*packages, std::back_inserter(fresh));
    } else if (reject(packages.error())) {
      CURUPIRA_CHECK(update());
      return all_packages();
    } else {  // what one publisher got wrong does not hide the others
      diagnostics_.warn("what has changed in " + printable(role) + " of the registry " + settings_.name +
                        " is not in the answer: " + packages.error().summary());
    }
  }
  std::erase_if(index.packages, [&](const FoundPackage& each) { return replaced.contains(each.role); });
  std::ranges::move(fresh, std::back_inserter(index.packages));
  return std::move(index.packages);
}

Result<std::vector<FoundPackage>> RegistryClient::search_once(const std::vector<std::string>& words) {
  CURUPIRA_TRY(auto packages, all_packages());
  std::erase_if(packages, [&](const FoundPackage& each) { return !has_all(each, words); });
  const auto top = client_->read_targets(tuf::targets_role);
  const auto bins = client_->delegated_targets({std::string(bins_role)});
  std::erase_if(packages, [&](const FoundPackage& each) {
    const auto target = tuf::TargetName::parse(each.name.target());
    return !target || !is_found_in(each.role, *target, *top, bins ? bins->get() : nullptr);
  });
  std::ranges::sort(packages, {}, &FoundPackage::name);
  return packages;
}

Result<std::vector<FoundPackage>> RegistryClient::search(std::vector<std::string> words) {
  for (std::string& word : words)
    word = lower(std::move(word));
  return with_every_carrier<std::vector<FoundPackage>>([&] { return search_once(words); });
}

}  // namespace curupira::registry
