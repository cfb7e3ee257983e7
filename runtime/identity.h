#pragma once

#include <string>
#include <string_view>

#include "runtime/extension_session.h"

namespace curupira::runtime {

/// SHA-256 in lower-case hexadecimal over the compact JSON of the pair list in its order (spec/protocol.md
/// §3.3).
std::string identity_hash(const Item& item);

/// "automation:forge-identity:full-trigger-type:hash".
std::string task_key(std::string_view automation, std::string_view forge_identity,
                     std::string_view trigger_type, const Item& item);

}  // namespace curupira::runtime
