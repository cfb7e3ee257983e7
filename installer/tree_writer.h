#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/relative_path.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "installer/tree_listing.h"

namespace curupira::installer {

/// Fills an empty folder through directory descriptors: every open stays beneath the folder and follows no
/// symbolic link, whatever happens to the folder meanwhile (design.md §5; ag2ai/ag2#2361). Nothing that
/// exists is ever opened for writing. Files become 0444 or 0555. Errors: archive_path and archive_duplicate
/// when a name is taken, file_failed.
class TreeWriter {
 public:
  static Result<TreeWriter> open(const std::filesystem::path& folder);

  Result<> make_folder(const RelativePath& path);
  Result<> begin_file(const RelativePath& path, bool executable);
  Result<> write(std::span<const std::byte> bytes);
  Result<> end_file();
  Result<> symbolic_link(const RelativePath& path, const std::string& target);
  /// `existing` is a file that this writer wrote.
  Result<> hard_link(const RelativePath& path, const RelativePath& existing);
  /// Of a file that this writer wrote. False when there is none of this path.
  Result<bool> make_executable(const RelativePath& path);

  /// Makes the folders below read-only (the root stays writable: it will be renamed) and tells what is there.
  Result<TreeListing> finish();

 private:
  explicit TreeWriter(UniqueFd root) : root_(std::move(root)) {}
  Result<int> parent_of(const RelativePath& path);
  Result<UniqueFd> open_folder(const std::string& path);
  void add_file(TreeEntry entry);

  UniqueFd root_;
  UniqueFd parent_;  // the folder that was used last: entries come in folders
  std::string parent_path_;
  std::set<std::string, std::less<>> folders_;
  std::vector<TreeEntry> entries_;
  std::map<std::string, std::size_t, std::less<>> files_;  // path → index into entries_

  UniqueFd file_;
  std::optional<TreeEntry> writing_;
  std::optional<Hasher> hasher_;
};

}  // namespace curupira::installer
