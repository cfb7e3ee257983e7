#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace curupira {

/// Seconds since 1970 of a time as RFC 3339 writes it: "2025-01-29T00:00:00.000Z",
/// "2024-03-01T12:00:00+01:00". Parts of a second are dropped. Error: timestamp_invalid.
Result<std::chrono::sys_seconds> parse_timestamp(std::string_view text);

/// "2025-01-29T00:00:00Z".
std::string format_timestamp(std::chrono::sys_seconds time);

}  // namespace curupira
