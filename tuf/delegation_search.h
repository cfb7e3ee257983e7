#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tuf/limits.h"
#include "tuf/metadata.h"
#include "tuf/target_info.h"

namespace curupira::tuf {

/// Gives the metadata of the role `name`, verified for the delegation by `delegator`, which names these keys.
using TargetsOf = std::function<Result<std::shared_ptr<const Targets>>(
    const std::string& name, const std::string& delegator, const RoleKeys& role, const KeyTable& keys)>;

/// Looks a target up in the targets role and those it delegates to (TUF 1.0.34 §5.6.7). Errors:
/// tuf_target_unknown; tuf_delegation_limit; those of `targets_of`.
Result<TargetInfo> search_delegations(const Root& root, const TargetName& name, const Limits& limits,
                                      const TargetsOf& targets_of);

}  // namespace curupira::tuf
