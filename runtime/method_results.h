#pragma once

#include <cstdint>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "runtime/extension_session.h"

namespace curupira::runtime {

inline constexpr std::int64_t supported_protocol_version = 2;

// The results of spec/protocol.md §2, read strictly where something depends on them. Unknown members are
// passed over, so that a newer extension can say more. Errors: extension_protocol, naming the member.

/// Error: extension_version, naming both versions.
Result<> check_initialize_result(const json::Value& result);
Result<std::vector<TriggerDescription>> parse_describe_result(const json::Value& result);
Result<TriggerSchema> parse_schema_result(const json::Value& result);
Result<ValidationOutcome> parse_validate_result(const json::Value& result);

}  // namespace curupira::runtime
