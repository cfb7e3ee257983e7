#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_lock.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "manifest/receipt.h"

namespace curupira::manifest {

/// Says that this process runs an extension: running/<name>.<pid> (the second of a process: <name>.<pid>.2),
/// locked until destroyed, with the store objects in use. A marker whose lock can be taken belongs to a
/// process that is gone.
class RunningMarker {
 public:
  static Result<RunningMarker> create(const HomeLayout& home, const Receipt& receipt);
  RunningMarker(RunningMarker&& other) noexcept;
  RunningMarker& operator=(RunningMarker&& other) noexcept;
  ~RunningMarker();  ///< removes the file

 private:
  RunningMarker(std::filesystem::path file, FileLock lock) : file_(std::move(file)), lock_(std::move(lock)) {}
  void remove() noexcept;
  std::filesystem::path file_;
  std::optional<FileLock> lock_;  ///< empty when moved from
};

/// A living command that runs an extension.
struct RunningExtension {
  std::string name;
  int pid = 0;
  std::string content_digest;
  std::vector<std::string> trees;
  std::filesystem::path marker;  ///< waiting for its lock waits for the command's end
};

/// All living ones; markers of processes that are gone are removed on the way.
Result<std::vector<RunningExtension>> running_extensions(const HomeLayout& home);

}  // namespace curupira::manifest
