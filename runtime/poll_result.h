#pragma once

#include <optional>

#include "base/json.h"
#include "base/result.h"
#include "runtime/extension_session.h"

namespace curupira::runtime {

/// The result of `trigger/poll` (spec/protocol.md §2): null = nothing found, [] = an item without fields, a
/// list = the item's fields. Error: extension_protocol naming the rule and the place: a missing `values`,
/// unknown members, keys or values that are no strings, keys that are empty, hold "}" or "${", are reserved,
/// or appear twice.
Result<std::optional<Item>> parse_poll_result(const json::Value& result);

/// The pairs as `onStarted` and `onFinished` send them.
json::Value to_json(const Item& item);

}  // namespace curupira::runtime
