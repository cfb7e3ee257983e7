#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"

namespace curupira::registry {

/// A folder of mode 0700 below the home's staging/, for a resolver to work in. It is gone when this is
/// destroyed.
class ScratchFolder {
 public:
  static Result<ScratchFolder> create(FileSystem& files, const HomeLayout& home, std::string_view prefix);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }
  /// A new file in it.
  Result<> write(std::string_view name, std::string_view text, unsigned mode = 0600);

 private:
  ScratchFolder(FileSystem& files, std::filesystem::path path) : files_(files), path_(std::move(path)) {}
  FileSystem& files_;
  std::filesystem::path path_;
};

}  // namespace curupira::registry
