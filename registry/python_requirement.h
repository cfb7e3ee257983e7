#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace curupira::registry {

/// What a Python package says that it needs (PEP 508): "x[a,b]>=1,<2 ; sys_platform == 'linux'".
struct PythonRequirement {
  std::string name;                      ///< normalised
  std::vector<std::string> extras = {};  ///< as written
  std::string specifiers = {};           ///< ">=1,<2"; empty for any, and for an address
  std::string marker = {};               ///< empty: always
};

/// Nothing for a line that is no requirement.
std::optional<PythonRequirement> parse_python_requirement(std::string_view text);

}  // namespace curupira::registry
