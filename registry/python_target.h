#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "manifest/platform.h"

namespace curupira::registry {

/// A Python that wheels are chosen for: what an interpreter says of itself, or what is assumed of one on
/// another platform.
struct PythonTarget {
  /// The base interpreter, of no virtual environment; empty when only assumed, and there is none here to ask.
  std::filesystem::path executable = {};
  std::string version = {};            ///< "3.11.7"
  std::string minor = {};              ///< "3.11": names its lib/python3.11
  std::string library_folder = "lib";  ///< sys.platlibdir
  /// Tags of the wheels that it takes, the closest first: "cp311-cp311-manylinux_2_36_x86_64" (the order of
  /// packaging.tags).
  std::vector<std::string> tags = {};
  std::map<std::string, std::string, std::less<>> markers = {};  ///< PEP 508: "sys_platform" → "linux"
};

/// The newest C library that a platform is assumed to have: {2, 28} of manylinux_2_28.
struct LibcVersion {
  unsigned major = 2, minor = 28;
};

/// What CPython `minor` ("3.11") takes on `platform`; a musl is assumed to be 1.2.
/// Error: platform_missing for one that Python has no name for.
Result<PythonTarget> assumed_python(const manifest::Platform& platform, std::string_view minor,
                                    LibcVersion glibc = {});

}  // namespace curupira::registry
