#pragma once

#include <optional>
#include <string_view>

#include "base/toml.h"

namespace curupira::toml {

/// What has to hold before the text may reach the library: its size, valid UTF-8 without NUL, and a nesting
/// that its recursion (also in destructors) can stand. Text that is not TOML may pass; the library refuses
/// it.
std::optional<ParseError> check_before_parsing(std::string_view text, const Limits& limits);

/// "nested deeper than 64 levels", at `position`.
ParseError nested_too_deep(TextPosition position, const Limits& limits);

}  // namespace curupira::toml
