#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace curupira {

/// The name among `known` that a person probably meant: at most two edits away, and less than half of the
/// name. For "did you mean" in errors.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

}  // namespace curupira
