#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "base/digest.h"
#include "base/relative_path.h"
#include "base/result.h"
#include "base/semver.h"
#include "manifest/platform.h"

namespace curupira::manifest {

inline constexpr std::string_view manifest_file_name = "curupira-extension.toml";
inline constexpr std::size_t max_manifest_bytes = 256u << 10;
inline constexpr int max_manifest_depth = 16;

enum class Runtime { python, node, executable };
std::string_view name_of(Runtime runtime);

struct NpxLaunch {
  std::string package;
  std::optional<std::string> version = {};
  std::optional<std::string> bin = {};
  std::vector<std::string> args = {};
};

struct UvxLaunch {
  std::string package;
  std::optional<std::string> version = {};
  std::string executable;
  std::vector<std::string> args = {};
};

struct ExecutableLaunch {
  std::string program;
  std::vector<std::string> args = {};
};

/// What one platform gets of a `binary` or `archive` launch.
struct PlatformArtifact {
  std::string location;  ///< http(s) URL, or a path relative to the manifest, inside its folder
  Digest sha256;
  std::optional<std::uint64_t> size = {};    ///< bytes
  int strip_components = 0;                  ///< archive only
  std::optional<RelativePath> program = {};  ///< archive only, and required there
};

struct BinaryLaunch {
  std::map<Platform, PlatformArtifact> platforms;
  std::vector<std::string> args = {};
};

struct ArchiveLaunch {
  std::map<Platform, PlatformArtifact> platforms;
  std::vector<std::string> args = {};
};

using Launch = std::variant<NpxLaunch, UvxLaunch, ExecutableLaunch, BinaryLaunch, ArchiveLaunch>;
std::string_view launch_type(const Launch& launch);  ///< "npx", "uvx", "executable", "binary", "archive"
const std::vector<std::string>& launch_args(const Launch& launch);

struct PackageRef {
  std::string source;
  std::string name;
  std::optional<std::string> version = {};
};

/// A valid `curupira-extension.toml`, format 1 (spec/protocol.md §4).
struct Manifest {
  std::string name;     ///< ASCII letters, digits, '-', '_'
  std::string version;  ///< semantic
  Runtime runtime = Runtime::executable;
  std::vector<std::string> trigger_types;  ///< local names, unique, at least one
  Launch launch;
  std::optional<PackageRef> package = {};
  std::vector<std::string> permissions = {};  ///< [capabilities] permissions
};

/// Text → model; pure. `file` is only for the messages. Unknown keys become warnings. Errors (1101–1106) give
/// file, line, column, the field and what was expected. `kind = "agent"` is manifest_kind; `both` is read as
/// trigger.
Result<Manifest> parse_manifest(std::string_view text, const std::filesystem::path& file,
                                Diagnostics& diagnostics);

/// Model → text that `parse_manifest` reads back. The existing host reads it too, but for `binary` and
/// `archive` launches: the installer turns those into `executable` before it writes (spec/protocol.md §4).
std::string write_manifest(const Manifest& manifest);

/// True for names that new packages may have: [a-z0-9][a-z0-9_-]*, at most 64 bytes.
bool is_new_extension_name(std::string_view name);
/// True for names that are read: ASCII letters, digits, '-', '_', at most 64 bytes.
bool is_readable_extension_name(std::string_view name);

}  // namespace curupira::manifest
