#pragma once

#include "base/diagnostics.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "installer/install_plan.h"
#include "installer/prepared_extension.h"

namespace curupira::installer {

/// What installing `prepared` would change, compared with what is installed under its name.
/// Error: name_taken when that is of another source or package, or in a folder of another name.
Result<PlannedExtension> plan_extension(const FileSystem& files, const HomeLayout& home,
                                        const PreparedExtension& prepared, Diagnostics& diagnostics);

}  // namespace curupira::installer
