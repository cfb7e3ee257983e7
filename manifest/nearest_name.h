#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace curupira::manifest {

/// The one of `known` that `name` was probably meant to be: at most two edits away (one for names below four bytes),
/// case aside; the nearest, and of equals the first.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& known);

/// ` (did you mean "title"?)`, or nothing when no known name is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace curupira::manifest
