#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira::serve {

/// A regular file, open.
struct ServedFile {
  UniqueFd file;
  std::uint64_t size = 0;  ///< bytes
  std::string tag;         ///< entity tag, with its quotes; another one when the file was replaced
};

/// The folder that is served, held open: what is opened lies in it, also when somebody moves things about.
class ServedFolder {
 public:
  /// Error: file_failed.
  static Result<ServedFolder> open(const std::filesystem::path& folder);

  enum class Kind { file, folder, missing, busy };
  struct Found {
    Kind kind = Kind::missing;
    ServedFile file = {};
  };
  /// What is at the path, following no link; `missing` for all that is neither a file nor a folder or may not
  /// be read; `busy` when this process has no descriptor left.
  Found find(const std::string& path) const;

 private:
  explicit ServedFolder(UniqueFd folder) : folder_(std::move(folder)) {}
  UniqueFd folder_;
};

}  // namespace curupira::serve
