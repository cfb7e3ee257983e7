#pragma once

#include <span>
#include <string>
#include <vector>

#include "installer/install_run.h"
#include "installer/verified_artifact.h"
#include "registry/python_lock.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Every package that a wheel of the closure needs on this interpreter is in the closure, in a version that
/// fits, and the closure is for no older Python than its packages are. Cycles are legal. `wheels` have to be
/// unpacked already; `lock` is where the closure stands. Errors: lock_incomplete, which names the package and
/// what it lacks; lock_mismatch; those of the store.
Result<> check_python_closure(const InstallRun& run, const registry::PythonClosure& closure,
                              std::span<const VerifiedArtifact> wheels, const registry::PythonLock& lock);

}  // namespace curupira::installer
