#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/archive_entry.h"
#include "base/relative_path.h"
#include "installer/limits.h"

namespace curupira::installer {

/// An entry that may be written, with its place below the tree's root.
struct AcceptedEntry {
  enum class Type { file, folder, symbolic_link, hard_link };
  Type type = Type::file;
  RelativePath path;
  bool executable = false;
  std::optional<RelativePath> target = {};  ///< of a link: an earlier regular file of the tree
};

/// Names that a file system without upper and lower case takes for one.
std::string fold_case(std::string_view text);

/// The names in a tree: no two of one name, also when only the case differs, and no file that is a folder
/// too.
class TreeNames {
 public:
  enum class Kind { folder, file, link };
  /// Adds the path and the folders above it. Errors: archive_duplicate, archive_path (below a file or link).
  Result<> add(const RelativePath& path, Kind kind);
  std::optional<Kind> find(const RelativePath& path) const;

 private:
  Result<> add_one(const std::string& path, Kind kind, bool implied);
  struct Name {
    std::string spelling;
    Kind kind;
  };
  std::map<std::string, Name, std::less<>> names_;  // by folded path
};

/// The rules of design.md §5 for archives. Pure: it sees entries in their order and touches no file.
/// Errors: archive_path, archive_link, archive_entry_type, archive_mode, archive_duplicate, archive_bomb.
class ArchiveRules {
 public:
  /// `packed_size`: of the archive, in bytes. `strip`: leading segments that paths lose, as tar does it.
  ArchiveRules(const ArchiveLimits& limits, std::uint64_t packed_size, int strip)
      : limits_(limits), packed_size_(packed_size), strip_(strip) {}

  /// Where the entry goes; nothing when stripping leaves nothing of it, or it is the root.
  Result<std::optional<AcceptedEntry>> check(const ArchiveEntry& entry);
  /// Counts contents that came out. `path` is for the message.
  Result<> count(std::uint64_t bytes, const std::string& path);

 private:
  Result<RelativePath> check_path(const std::string& raw) const;
  Result<RelativePath> check_target(const ArchiveEntry& entry, const RelativePath& path) const;

  ArchiveLimits limits_;
  std::uint64_t packed_size_;
  int strip_;
  std::size_t entries_ = 0;
  std::uint64_t unpacked_ = 0;
  TreeNames archive_names_;  // as they stand in the archive
  TreeNames tree_names_;     // after stripping
};

/// A path whose name no terminal and no other program takes for something else. Error: archive_path.
Result<RelativePath> parse_entry_path(std::string_view raw, std::size_t max_depth);

/// "../b/c": how a link at `from` names `to`, both below one root.
std::string relative_target(const RelativePath& from, const RelativePath& to);

}  // namespace curupira::installer
