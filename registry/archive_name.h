#pragma once

#include <string_view>

namespace curupira::registry {

/// True for a file name that ends like an archive that can be unpacked, in either case.
bool has_archive_name(std::string_view path);

}  // namespace curupira::registry
