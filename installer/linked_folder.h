#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "installer/install_run.h"
#include "installer/tree_listing.h"

namespace curupira::installer {

/// A folder in staging that an environment is laid out in, of hard links to files of the store's trees. Paths
/// are relative, with '/', and were checked by the caller. Error: file_failed.
class LinkedFolder {
 public:
  LinkedFolder(const InstallRun& run, std::filesystem::path folder) : run_(run), folder_(std::move(folder)) {}

  /// With the folders above it.
  Result<> make_folders(const std::string& path);
  /// The file at `from` in a tree. On another file system, or when it has too many names, a copy.
  Result<> link_file(const std::filesystem::path& from, const std::string& path, const TreeEntry& entry);
  /// A file of our own; it reaches the disk with all of the session's.
  Result<> write_file(const std::string& path, std::string_view bytes, bool executable = false);
  Result<> symbolic_link(const std::string& target, const std::string& path);
  /// Read-only from here on, but for the root, which is still renamed.
  Result<> seal();

 private:
  Result<> make_parent(const std::string& path);

  const InstallRun& run_;
  std::filesystem::path folder_;
  std::set<std::string, std::less<>> folders_;
};

}  // namespace curupira::installer
