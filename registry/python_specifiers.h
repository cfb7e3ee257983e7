#pragma once

#include <optional>
#include <string_view>

namespace curupira::registry {

/// Whether a version fits every one of `specifiers` (">=1,<2"; none: all fit), as PEP 440 says; pre-releases
/// fit as well as releases. Nothing when the version or one of the specifiers cannot be read.
std::optional<bool> fits_python_specifiers(std::string_view version, std::string_view specifiers);

}  // namespace curupira::registry
