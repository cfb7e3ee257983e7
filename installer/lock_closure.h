#pragma once

#include <span>
#include <string>

#include "installer/store.h"
#include "manifest/platform.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Every dependency that a package of the closure names is where node looks for it, in a version that fits;
/// optional ones and peers excepted, and cycles are legal; and every package is one for `platform`.
/// `trees[i]` is the tree of `closure.packages[i]`. Errors: lock_incomplete, which names the package and what
/// it lacks; lock_mismatch for one of another platform.
Result<> check_closure(const Store& store, const registry::NodeClosure& closure,
                       std::span<const std::string> trees, const manifest::Platform& platform);

}  // namespace curupira::installer
