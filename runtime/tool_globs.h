#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace curupira::runtime {

/// `tools` of a `[plugins.<alias>]` (spec/settings.md), globs as of base/glob.h: a name passes when one of
/// the globs matches, or there are none but exclusions, and no glob after "!" matches. Empty = all.
bool tools_allow(const std::vector<std::string>& tools, std::string_view trigger);

}  // namespace curupira::runtime
