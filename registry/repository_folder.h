#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/result.h"

namespace curupira::registry {

/// A file that shall be among the targets.
struct TargetUpload {
  std::string path;  ///< below targets/, named after the contents
  Digest sha256;
  std::string bytes = {};             ///< or
  std::filesystem::path source = {};  ///< a file of this machine
};

/// How folders begin in which carriers write files beside their place (registry/folder_carrier.h).
inline constexpr std::string_view part_prefix = ".curupira-part.";

/// A registry's folder, as any static server can serve it:
///
///   metadata/           1.root.json … timestamp.json, 7.snapshot.json, …
///   targets/            packages/<sha256>.NAME.json, artifacts/<sha256>.FILE, search/…
///   npm/ simple/ archives/   of a registry that is a mirror, too (registry/mirror_role.h)
///   index.html          the page to browse it with (registry/browse_page.h)
///   metadata-pending/   what lacks signatures or waits for the online key; clients never read it
///   .lock .lock-holder  who changes it
///   .staging/           files being written; what a killed command left goes with the next one
///
/// Files appear whole, under names that did not exist; only timestamp.json is replaced.
class RepositoryFolder {
 public:
  /// The file system has to outlive this.
  RepositoryFolder(FileSystem& files, std::filesystem::path folder)
      : files_(files), folder_(std::move(folder)) {}

  FileSystem& files() const { return files_; }
  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path metadata() const { return folder_ / "metadata"; }
  std::filesystem::path pending() const { return folder_ / "metadata-pending"; }
  std::filesystem::path targets() const { return folder_ / "targets"; }
  std::filesystem::path lock_file() const { return folder_ / ".lock"; }
  std::filesystem::path holder_file() const { return folder_ / ".lock-holder"; }

  /// Makes the folders that are missing.
  Result<> create();
  /// Removes what killed commands left. Only while the lock is held.
  Result<> tidy();

  /// Nothing when there is no such file. Error: tuf_metadata_too_large.
  Result<std::optional<std::string>> read_metadata(const std::string& name, std::uint64_t max_bytes) const;
  Result<std::optional<std::string>> read_pending(const std::string& name, std::uint64_t max_bytes) const;
  Result<bool> has_metadata(const std::string& name) const;
  Result<bool> has_pending(const std::string& name) const;
  /// Names of files in metadata-pending/, sorted.
  Result<std::vector<std::string>> list_pending() const;

  using NamedBytes = std::pair<std::string, std::string>;
  /// Versioned metadata. Error: registry_busy when one is there already with other contents: somebody whom
  /// the lock did not keep away was faster.
  Result<> write_metadata(const std::vector<NamedBytes>& metadata);
  Result<> write_timestamp(const std::string& bytes);
  /// The timestamp that waits becomes the one that clients see.
  Result<> release_timestamp();
  Result<> write_pending(const std::string& name, const std::string& bytes);
  Result<> remove_pending(const std::string& name);

  /// What is there and is the same stays. Error: digest_mismatch when the source has changed meanwhile.
  Result<> put(const TargetUpload& upload);
  /// The same for a file that is served beside the targets: `path` is below the registry's folder.
  Result<> put_beside(const TargetUpload& upload);
  Result<std::string> read_target(const std::string& path, std::uint64_t max_bytes) const;

 private:
  std::filesystem::path staging() const { return folder_ / ".staging"; }
  Result<std::filesystem::path> stage(const std::string& bytes);
  Result<std::filesystem::path> staging_name();
  Result<> stage(const TargetUpload& upload, const std::filesystem::path& staged);
  Result<> put_at(const std::filesystem::path& path, const TargetUpload& upload);

  FileSystem& files_;
  std::filesystem::path folder_;
  int staged_ = 0;
};

}  // namespace curupira::registry
