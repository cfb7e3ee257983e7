#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/file_system.h"

namespace curupira::manifest::test {

/// A folder that is gone after the test.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(make_posix_file_system()
                  ->create_temporary_folder(std::filesystem::temp_directory_path(), "curupira-manifest-test-")
                  .value()) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file and the folders above it.
  void write(const std::filesystem::path& name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace curupira::manifest::test
