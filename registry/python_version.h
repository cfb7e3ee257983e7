#pragma once

#include <string_view>

namespace curupira::registry {

/// Compares versions as markers do: by their numbers, a pre-release before its release. -1, 0 or 1.
int compare_python_versions(std::string_view a, std::string_view b);

/// Whether two spellings are one version: "1.0" and "1.0.0", "1.0-Post1" and "1.0.post1".
bool same_python_version(std::string_view a, std::string_view b);

/// "3.9.*" without its end: the first numbers of `version` are those of `prefix`.
bool python_version_begins_with(std::string_view version, std::string_view prefix);

}  // namespace curupira::registry
