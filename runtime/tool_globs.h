#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace curupira::runtime {

/// `*` any text, `?` one character, `[a-z]` and `[!a-z]` one of a set. A glob that is not complete matches
/// nothing.
bool glob_matches(std::string_view glob, std::string_view name);

/// `tools` of a `[plugins.<alias>]` (spec/settings.md): a name passes when one of the globs matches, or there
/// are none but exclusions, and no glob after "!" matches. Empty = all.
bool tools_allow(const std::vector<std::string>& tools, std::string_view trigger);

}  // namespace curupira::runtime
