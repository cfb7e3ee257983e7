#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/result.h"
#include "installer/tree_listing.h"

namespace curupira::installer {

/// How a file is not what it should be.
struct Difference {
  enum class Kind {
    changed,    ///< other contents
    missing,    ///< it is not there
    extra,      ///< it should not be there
    mode,       ///< other permissions
    type,       ///< something else than a file, folder or link is
    target,     ///< a link that leads elsewhere
    unreadable  ///< what it is cannot be told
  };
  Kind kind = Kind::changed;
  std::string path;  ///< below the folder; empty: the folder itself
  std::string expected;
  std::string found;
};

std::string_view name_of(Difference::Kind kind);  ///< "changed"

/// Digests of files, each computed once however many names the file has (trees and the environments that are
/// made of them). For files that nobody changes meanwhile.
class FileDigests {
 public:
  /// Hexadecimal sha256 of a regular file. Error: file_failed.
  Result<std::string> sha256(const std::filesystem::path& path, const FileStatus& status);
  std::uint64_t files() const { return files_; }  ///< how many were looked at
  std::uint64_t bytes() const { return bytes_; }  ///< how many were read

 private:
  std::map<std::uint64_t, std::string> known_;  // by inode
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
};

/// The digest of a whole file.
Result<Digest> digest_of_file(const std::filesystem::path& path, DigestAlgorithm algorithm);

/// What is in a folder now: what `compare_folder` compares with later. Errors: file_failed, archive_path for
/// names that a listing cannot have.
Result<TreeListing> list_folder(const ReadOnlyFileSystem& files, const std::filesystem::path& folder,
                                FileDigests& digests);

/// Every way in which the folder is not what the listing says; modes are those of the store: 0444, 0555 for
/// programs and folders. With `bytecode_allowed`, `__pycache__` is passed over: Python writes it where it
/// may.
Result<std::vector<Difference>> compare_folder(const ReadOnlyFileSystem& files,
                                               const std::filesystem::path& folder,
                                               const TreeListing& listing, bool bytecode_allowed,
                                               FileDigests& digests);

}  // namespace curupira::installer
