#pragma once

#include <string>

#include "base/unique_fd.h"

namespace curupira {

/// Opens the relative `path` beneath the folder that `folder` is a descriptor of, following no symbolic link
/// on the way and at its end, and never leaving the folder. Empty with errno when that cannot be: ELOOP or
/// EXDEV where a link or ".." is in the way. `flags` are those of open(2) for what the path names.
UniqueFd open_beneath(int folder, const std::string& path, int flags);

}  // namespace curupira
