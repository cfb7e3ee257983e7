#pragma once

#include "base/diagnostics.h"
#include "base/result.h"
#include "installer/installer.h"
#include "manifest/receipt.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Where an artifact of a receipt may be had today: one from a registry in the registries of this machine,
/// with their credentials, whatever the packages' newer versions need, and without npm or uv; any other at
/// its own address. `ask_registry`: npm's is where the registry says, not where registries usually have it,
/// which costs no request. Needs the tools' `source_tools`. Errors: those of LockedNpm and locate_wheels,
/// url_invalid.
Result<registry::Artifact> place_of_artifact(const InstallerTools& tools, const manifest::Receipt& receipt,
                                             const manifest::ReceiptArtifact& wanted, bool ask_registry,
                                             Diagnostics& diagnostics);

}  // namespace curupira::installer
