#pragma once

#include <optional>
#include <string>

#include "base/relative_path.h"
#include "base/result.h"
#include "installer/package_json.h"

namespace curupira::installer {

/// A program of an npm package.
struct PackageBin {
  std::string command;
  RelativePath path;  ///< in the package
};

/// The program that npx would start: the `wanted` one; else the only one, or any when all are the same file;
/// else the one named like the package without its scope. Errors: bin_not_found, bin_ambiguous (lists them).
Result<PackageBin> choose_bin(const PackageJson& package, const std::optional<std::string>& wanted);

/// A "bin" path ("./cli.js"), which has to stay in the package. Error: bin_not_found.
Result<RelativePath> bin_path(const std::string& command, const std::string& text);

}  // namespace curupira::installer
