#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "manifest/platform.h"
#include "registry/package_name.h"

namespace curupira::registry {

inline constexpr std::size_t max_package_index_bytes = 16u << 20;
inline constexpr std::size_t max_yank_reason_bytes = 1000;

/// One file of a release, in the registry's targets/artifacts/.
struct IndexArtifact {
  std::string file;  ///< its name: one segment of a path
  Digest sha256;
  std::uint64_t size = 0;                          ///< bytes
  std::vector<manifest::Platform> platforms = {};  ///< that need it, sorted; none: it is the extension itself

  /// Below targets/: "artifacts/<sha256>.<file>".
  std::string path() const { return "artifacts/" + sha256.hex() + "." + file; }
  bool operator==(const IndexArtifact&) const = default;
};

/// One version of a package.
struct PackageVersion {
  std::string manifest;  ///< text of curupira-extension.toml, byte for byte that of the archive
  std::chrono::sys_seconds published = {};
  std::optional<std::string> yanked = {};  ///< why it was taken back
  /// The first is the archive with the extension; the others are what its launch table names by an address.
  std::vector<IndexArtifact> artifacts;

  const IndexArtifact& archive() const { return artifacts.front(); }
  bool operator==(const PackageVersion&) const = default;
};

/// All that a registry says of one package: the content of its target.
struct PackageIndex {
  static constexpr int format = 1;

  PackageName name;
  std::map<std::string, PackageVersion, std::less<>> versions = {};  ///< by semantic version

  const PackageVersion* find(std::string_view version) const;
  /// The highest version that was not taken back, releases before pre-releases; nothing when there is none.
  std::optional<std::string> latest() const;
  std::vector<std::string> yanked() const;
  bool operator==(const PackageIndex&) const = default;
};

/// Text → model. Whatever is not exactly of the form, also members that are not known, is refused: a
/// publisher writes again what it read. The text is what the registry's metadata vouches for, and is hostile
/// all the same. Error: package_index_invalid with the place.
Result<PackageIndex> parse_package_index(std::string_view text, const PackageName& name);

/// Model → text, the same for the same model: members sorted, no blanks.
std::string write_package_index(const PackageIndex& index);

}  // namespace curupira::registry
