#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tuf/metadata.h"
#include "tuf/target_name.h"

namespace curupira::tuf {

/// A shell pattern against a path (TUF 1.0.34 §4.5): `*`, `?` and `[…]` match no '/'; case counts.
bool path_matches(std::string_view pattern, std::string_view path);

/// One delegation that may vouch for a target.
struct MatchingDelegation {
  std::string role;
  const RoleKeys* keys = nullptr;  ///< of the delegations that were searched
  bool terminating = false;
};

/// In the order in which they count; nothing after a terminating one.
std::vector<MatchingDelegation> matching_delegations(const Delegations& delegations,
                                                     const TargetName& target);

/// Whose signatures count for the delegated role of this name; null when there is none. Of the delegations.
const RoleKeys* keys_for(const Delegations& delegations, std::string_view role);

/// The bin that a target falls into, and what a bin is called: "bins-0a".
std::uint32_t bin_of(const SuccinctRoles& roles, const TargetName& target);
std::string bin_name(const SuccinctRoles& roles, std::uint32_t bin);

}  // namespace curupira::tuf
