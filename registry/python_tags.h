#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/python_target.h"

namespace curupira::registry {

/// What decides which wheels an interpreter takes.
struct PythonAbi {
  unsigned major = 3, minor = 0;
  bool cpython = true;
  bool free_threaded = false;
  bool debug = false;
  std::string other_abi = {};   ///< of another implementation: "pypy311_pp73"
  std::string other_name = {};  ///< "pp311"
};

// Platform tags, the closest first.
std::vector<std::string> glibc_platforms(const std::string& arch, LibcVersion glibc);
std::vector<std::string> musl_platforms(const std::string& arch, LibcVersion musl);
/// `major`.`minor` of macOS.
std::vector<std::string> macos_platforms(const std::string& arch, unsigned major, unsigned minor);

/// All tags in the order of packaging.tags.sys_tags().
std::vector<std::string> python_tags(const PythonAbi& abi, const std::vector<std::string>& platforms);

}  // namespace curupira::registry
