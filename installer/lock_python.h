#pragma once

#include <vector>

#include "installer/lock_file.h"
#include "registry/python_lock.h"

namespace curupira::installer {

/// A Python closure as artifacts of the lock file: every wheel and source distribution of every package.
std::vector<LockedArtifact> locked_python(const registry::PythonLock& lock);

/// The same back again. `root`: normalised name of the package asked for.
registry::PythonLock python_lock_of(const LockedExtension& extension, const std::string& root);

}  // namespace curupira::installer
