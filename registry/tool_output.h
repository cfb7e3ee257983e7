#pragma once

#include <string>
#include <string_view>

namespace curupira::registry {

/// The last lines that a resolver wrote, without empty ones and without secrets in URLs, safe to show on a
/// terminal.
std::string last_lines(std::string_view text);

}  // namespace curupira::registry
