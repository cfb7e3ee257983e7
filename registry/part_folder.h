#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_system.h"
#include "base/unique_fd.h"

namespace curupira::registry {

/// A folder for files that are being written, beside where they shall be; it goes with this object. A killed
/// process leaves it: then the next one that works there removes it. Whose process lives is known by the
/// kernel's lock on the folder, so that nobody takes away what another one is writing.
class PartFolder {
 public:
  /// Below `parent`, its name beginning with `prefix`; first removes those that killed processes left there.
  static Result<PartFolder> create(FileSystem& files, const std::filesystem::path& parent,
                                   std::string_view prefix);
  PartFolder(PartFolder&& other) noexcept;
  PartFolder& operator=(PartFolder&&) = delete;
  ~PartFolder();

  const std::filesystem::path& path() const { return path_; }
  /// Says what the end of this object would not. Error: file_failed.
  Result<> remove();

 private:
  PartFolder(FileSystem& files, std::filesystem::path path, UniqueFd lock)
      : files_(&files), path_(std::move(path)), lock_(std::move(lock)) {}

  FileSystem* files_;
  std::filesystem::path path_;  // empty: removed or moved from
  UniqueFd lock_;
};

/// Removes what killed processes left in `parent`, of this process's user only. What cannot be removed stays.
void remove_left_parts(FileSystem& files, const std::filesystem::path& parent, std::string_view prefix);

}  // namespace curupira::registry
