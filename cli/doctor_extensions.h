#pragma once

#include "base/environment.h"
#include "base/home_layout.h"
#include "cli/doctor_findings.h"
#include "manifest/discovery.h"

namespace curupira::cli {

/// Which extensions cannot be used: manifests or receipts that are broken, programs that are not there.
/// Starts nothing.
Findings examine_extensions(const manifest::Discovered& installed, const HomeLayout& home,
                            const Environment& environment);

}  // namespace curupira::cli
