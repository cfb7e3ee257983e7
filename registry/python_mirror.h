#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"

namespace curupira::registry {

/// The Python half of a mirror: a simple index (PEP 503, 629, 658, 691, 700) that a static server gives to
/// uv, pip and this program.
///
///   simple/index.html, index.json          the packages
///   simple/NAME/index.html, index.json     the files of one; addresses are relative
///   simple/NAME/X.whl, X.whl.metadata      wheels, and what they say of themselves

/// A wheel as the page of its package describes it.
struct MirroredWheel {
  std::string file_name;
  Digest sha256;
  std::uint64_t size = 0;                  ///< bytes
  std::string requires_python = {};        ///< ">=3.9"; empty for any
  std::optional<Digest> metadata = {};     ///< sha256 of its METADATA, which lies beside it
  std::optional<std::string> yanked = {};  ///< why it was withdrawn; empty text when no reason is given

  bool operator==(const MirroredWheel&) const = default;
};

/// "simple/NAME/"; the name is normalised. Error: resolution_unsafe for one that is not.
Result<std::string> python_folder(std::string_view package);
/// Error: resolution_unsafe for what is not the legal name of a wheel.
Result<std::string> python_wheel_path(std::string_view package, std::string_view file_name);

/// Both forms of a package's page, the wheels in the order of their names.
std::string write_simple_html(std::string_view package, std::span<const MirroredWheel> wheels);
std::string write_simple_json(std::string_view package, std::span<const MirroredWheel> wheels);
/// Reads what `write_simple_json` wrote. Error: registry_damaged.
Result<std::vector<MirroredWheel>> read_mirrored_wheels(std::string_view json_page);

/// Both forms of the list of packages.
std::string write_projects_html(std::span<const std::string> packages);
std::string write_projects_json(std::span<const std::string> packages);

}  // namespace curupira::registry
