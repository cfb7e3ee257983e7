#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/relative_path.h"
#include "base/result.h"

namespace curupira::installer {

/// One thing in a tree of the store.
struct TreeEntry {
  enum class Kind { file, executable, folder, link };
  RelativePath path;
  Kind kind = Kind::file;
  std::uint64_t size = 0;   ///< bytes, of files
  std::string sha256 = {};  ///< hexadecimal, of files
  std::string target = {};  ///< of links, as it stands in the link
};

/// All that makes a tree: what is where with which contents, and nothing of times, owners or the archive it
/// came from. Its text is canonical; the sha256 of the text is the tree's name in the store.
class TreeListing {
 public:
  TreeListing() = default;
  explicit TreeListing(std::vector<TreeEntry> entries);
  /// Error: store_object_damaged.
  static Result<TreeListing> parse(std::string_view text);

  const std::vector<TreeEntry>& entries() const { return entries_; }  ///< sorted by path
  const TreeEntry* find(std::string_view path) const;
  /// A file (executable or not) of this path.
  bool has_file(std::string_view path) const;
  std::string text() const;
  std::string digest() const;  ///< hexadecimal sha256 of `text()`

 private:
  std::vector<TreeEntry> entries_;
};

}  // namespace curupira::installer
