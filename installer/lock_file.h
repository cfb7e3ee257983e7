#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/relative_path.h"
#include "base/result.h"
#include "manifest/platform.h"
#include "manifest/receipt.h"

namespace curupira::installer {

inline constexpr std::string_view lock_file_name = "curupira.lock";
inline constexpr std::size_t max_lock_bytes = 16u << 20;

/// One file that an extension is made of, in the lock file (docs/lock.md).
struct LockedArtifact {
  std::string package;  ///< name in its ecosystem, or the file name for archives and binaries
  std::string version;  ///< empty when it has none
  std::string file;     ///< its file name, a URL without credentials, or a path relative to the lock file
  std::optional<std::uint64_t> size = {};    ///< bytes; nothing where an index does not say it
  Digest digest;                             ///< that it is fetched against
  std::optional<std::string> tree = {};      ///< that it is unpacked to, hexadecimal; not for wheels
  std::vector<RelativePath> locations = {};  ///< npm: where it stands, sorted
  std::string marker = {};  ///< pip: PEP 508, where its package belongs to the closure; empty: everywhere
  std::vector<manifest::Platform> platforms = {};  ///< that need it, sorted; empty: all
  manifest::VerificationLevel level = manifest::VerificationLevel::digest;

  bool is_for(const manifest::Platform& platform) const;
  bool operator==(const LockedArtifact&) const = default;
};

/// One extension in the lock file.
struct LockedExtension {
  std::string name;
  std::string version;
  std::string reference;  ///< normalised; a folder or file of this machine relative to the lock file
  std::string source;     ///< "npm", "npm:@scope" when that scope has its own registry, "pip", "archive",
                          ///< "path", "curupira:NAME"
  std::string package;    ///< the name in the source; for archive and path the extension's name
  std::string launch;     ///< "npx", "uvx", "executable", "binary", "archive"
  manifest::VerificationLevel level = manifest::VerificationLevel::digest;  ///< the lowest of its artifacts
  Digest manifest;                       ///< sha256 of the manifest as published
  std::vector<std::string> permissions;  ///< that the manifest asks for, in its order
  std::optional<std::string> tree = {};  ///< path only: of the folder
  std::string python = {};               ///< pip: "3.11", the oldest Python that the closure is for
  std::vector<LockedArtifact> artifacts;

  bool operator==(const LockedExtension&) const = default;
};

/// `curupira.lock`: exactly which bytes a settings file's extensions are, on all platforms (design.md §3).
struct LockFile {
  static constexpr int version = 1;

  std::string comment;  ///< lines before the first value, as they stand, each with its line end
  std::vector<manifest::Platform> platforms;  ///< sorted
  std::vector<LockedExtension> extensions;    ///< sorted by name

  const LockedExtension* find(std::string_view name) const;
  /// Adds it, or replaces the one of its name.
  void put(LockedExtension extension);
  /// False when there is none.
  bool remove(std::string_view name);
  bool has(const manifest::Platform& platform) const;
};

/// Text → model; `file` is only for the messages. Every field is checked for what can be known from the text.
/// Errors: lock_syntax, lock_conflict (with the line of the marker), lock_version, lock_field.
Result<LockFile> parse_lock(std::string_view text, const std::filesystem::path& file);

/// Model → text; the same whoever writes it. What `write_lock` wrote is what it writes again.
std::string write_lock(const LockFile& lock);

/// Artifacts in the order of the file, without doubles; what all `platforms` need names none of them.
void normalize(std::vector<LockedArtifact>& artifacts, const std::vector<manifest::Platform>& platforms);

}  // namespace curupira::installer
