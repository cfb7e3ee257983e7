#pragma once

#include "installer/installer.h"
#include "installer/mirror_plan.h"
#include "registry/repository.h"
#include "registry/revision.h"

namespace curupira::installer {

/// Does what the plan says: fetches and verifies what the mirror lacks, each file into its place as soon as
/// it is whole, then writes the pages that name them, as one revision of `repository`, which is opened for
/// change. Stopped at any instant, the mirror is what it was, and the next run fetches nothing twice. Errors:
/// registry_busy when the mirror is not the one that was planned for; mirror_incomplete when something could
/// not be fetched; those of verifying, after which nothing of the file is left.
Result<registry::RevisionOutcome> carry_out_mirror(const InstallerTools& tools, const InstallOptions& options,
                                                   registry::Repository& repository, MirrorPlan plan,
                                                   Diagnostics& diagnostics, InstallObserver& observer);

}  // namespace curupira::installer
