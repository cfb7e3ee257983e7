#include "tuf/delegation_search.h"

#include <algorithm>
#include <map>

#include "base/printable.h"
#include "tuf/delegation_match.h"

namespace curupira::tuf {
namespace {

/// A role that is to be searched, and through whom the search comes to it.
struct Step {
  std::string role;
  std::string delegator;
  std::shared_ptr<const Targets> delegating = {};  ///< has the keys; null for the root
  const RoleKeys* keys = nullptr;
  int depth = 0;
};

/// From the role that vouches up to the top-level one, each was visited once.
std::vector<std::string> way_to(std::string role, const std::map<std::string, std::string>& delegators) {
  std::vector<std::string> way;
  for (auto above = delegators.find(role); above != delegators.end(); above = delegators.find(role)) {
    way.push_back(std::move(role));
    role = above->second;
  }
  std::ranges::reverse(way);
  return way;
}

tl::unexpected<Error> too_far(const TargetName& name, const std::string& limit) {
  return fail(ErrorCode::tuf_delegation_limit,
              "looking for " + printable(name.text()) + ": more than " + limit);
}

}  // namespace

/// Pre-order, depth first, each role once (TUF 1.0.34 §5.6.7). A role that cannot be had or verified ends the
/// search: a role that counts less must not speak in its place.
Result<TargetInfo> search_delegations(const Root& root, const TargetName& name, const Limits& limits,
                                      const TargetsOf& targets_of) {
  std::vector<Step> open{{.role = std::string(targets_role),
                          .delegator = std::string(root_role),
                          .keys = &root.role(targets_role)}};
  std::map<std::string, std::string> visited;  // and through whom
  while (!open.empty()) {
    const Step step = std::move(open.back());
    open.pop_back();
    if (!visited.emplace(step.role, step.delegator).second) continue;
    if (static_cast<int>(visited.size()) > limits.max_visited_roles)
      return too_far(name, std::to_string(limits.max_visited_roles) + " roles");
    if (step.depth > limits.max_delegation_depth)
      return too_far(name, std::to_string(limits.max_delegation_depth) + " roles below each other");
    const KeyTable& keys = step.delegating ? step.delegating->delegations->keys : root.keys;
    auto found = targets_of(step.role, step.delegator, *step.keys, keys);
    if (!found) return fail(std::move(found).error().while_doing("looking for " + printable(name.text())));
    const std::shared_ptr<const Targets> targets = *std::move(found);
    if (const auto file = targets->targets.find(name.text()); file != targets->targets.end()) {
      CURUPIRA_TRY(TargetInfo info,
                   target_info(name, file->second, step.role, root.has_consistent_snapshots()));
      info.way = way_to(step.role, visited);
      return info;
    }
    if (!targets->delegations) continue;
    const auto matching = matching_delegations(*targets->delegations, name);
    if (!matching.empty() && matching.back().terminating) open.clear();
    for (auto each = matching.rbegin(); each != matching.rend(); ++each)
      open.push_back({.role = each->role,
                      .delegator = step.role,
                      .delegating = targets,
                      .keys = each->keys,
                      .depth = step.depth + 1});
  }
  return fail(ErrorCode::tuf_target_unknown, printable(name.text()));
}

}  // namespace curupira::tuf
