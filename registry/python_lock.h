#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/digest.h"
#include "base/result.h"
#include "manifest/platform.h"
#include "registry/python_target.h"
#include "registry/reference.h"
#include "registry/resolution.h"
#include "registry/sources.h"

namespace curupira::registry {

/// One file that an index has of a version: a wheel or a source distribution. No address: where it is, is
/// looked up by name and digest in the index that is configured when it is fetched.
struct PythonFile {
  std::string name;  ///< "x-1.0-cp311-cp311-manylinux_2_28_x86_64.whl", "x-1.0.tar.gz"
  Digest sha256;
  std::optional<std::uint64_t> size = {};  ///< bytes, when the index says it

  bool operator==(const PythonFile&) const = default;
};

/// A package of a locked closure.
struct LockedPythonPackage {
  std::string name;               ///< normalised
  std::string version;            ///< exact
  std::string marker = {};        ///< PEP 508: where it belongs to the closure; empty: everywhere
  std::vector<PythonFile> files;  ///< all of the version, sorted by name

  bool operator==(const LockedPythonPackage&) const = default;
};

/// A closure for all platforms at once. The same text whoever writes it: no path, no address, no
/// interpreter's micro version.
struct PythonLock {
  std::string root;     ///< normalised name of the package asked for; empty where only the files count
  std::string version;  ///< of the root
  std::string python;   ///< "3.11": the oldest Python that it is for
  std::vector<LockedPythonPackage> packages;  ///< sorted by name, then version

  bool operator==(const PythonLock&) const = default;
};

/// Resolves with uv for all of `platforms` at once, and takes the files of each version from the index.
/// `python`: as in PythonLock, what an older lock says; empty: that of this machine's interpreter.
/// A release that was taken back is a warning. Errors: those of run_uv_lock; resolution_unsafe when a
/// platform has no wheel of a package (builds run foreign code); integrity_missing; registry_unreadable;
/// policy_yanked.
Result<PythonLock> lock_python(const SourceTools& tools, const PipReference& package,
                               std::span<const manifest::Platform> platforms, Diagnostics& diagnostics,
                               const std::string& python = {});

/// A wheel that was chosen from a lock.
struct ChosenWheel {
  std::string package;
  std::string version;
  PythonFile file;
};

/// The wheels of the closure for one interpreter, sorted by package. Pure: no resolver, no network, no
/// process. Errors: version_not_found for a Python older than the lock's; resolution_unsafe when a package
/// has no wheel for it.
Result<std::vector<ChosenWheel>> choose_wheels(const PythonLock& lock, const PythonTarget& python);

/// Every wheel of the closure that some Python from the lock's one on may choose on one of `platforms`,
/// sorted by file name: whoever carries them does not know the interpreter that they will meet. Errors: those
/// of choose_wheels for the lock's own Python.
Result<std::vector<ChosenWheel>> fitting_wheels(const PythonLock& lock,
                                                std::span<const manifest::Platform> platforms);

/// The wheels as artifacts that can be fetched. Files for which `at_hand` is true get no address and cost no
/// request. `diagnostics`, where it is given, is told which of the others their authors have taken back
/// since. Errors: offline_missing; those of locate_python_files.
Result<std::vector<Artifact>> locate_wheels(const SourceTools& tools, std::span<const ChosenWheel> wheels,
                                            const std::function<bool(const Digest&)>& at_hand,
                                            Diagnostics* diagnostics = nullptr);

/// The resolution of `reference` (a PipReference) that `lock` says, for `python` (of find_python or
/// assumed_python). Files for which `at_hand` is true get no address (their location is a path that is just
/// the name) and cost no request; when all are at hand, nothing is asked of anybody. `diagnostics` as for
/// locate_wheels. Errors: those of choose_wheels and locate_python_files.
Result<Resolution> resolve_locked(const SourceTools& tools, const Reference& reference,
                                  const PythonLock& lock, const PythonTarget& python,
                                  const std::function<bool(const Digest&)>& at_hand,
                                  Diagnostics* diagnostics = nullptr);

}  // namespace curupira::registry
