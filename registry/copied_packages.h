#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "registry/carrier.h"

namespace curupira::registry {

/// The file among the metadata that says of a copy which packages it has. Nobody vouches for it: it says what
/// is left out, never what is right.
inline constexpr std::string_view copied_packages_file = "copied-packages.json";

/// Names of packages that a copy has; nothing when it has all of them. What cannot be read names none.
/// Errors: those of the carrier.
Result<std::optional<std::set<std::string>>> read_copied_packages(Carrier& carrier);

/// Nothing: all.
Result<> write_copied_packages(WritableCarrier& carrier, const std::optional<std::set<std::string>>& names);

/// The error for a target that the carrier does not have; says so when it has some packages only.
Error missing_target(Carrier& carrier, const std::string& path);

}  // namespace curupira::registry
