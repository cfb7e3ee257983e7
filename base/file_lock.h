#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira {

/// A kernel lock on a file (flock), held until destroyed. It ends with the process, however that ends
/// (design.md §3).
class FileLock {
 public:
  enum class Mode { shared, exclusive };

  /// Creates the file where needed (its folder must exist) and waits for the lock. `on_wait` is called once,
  /// before waiting.
  static Result<FileLock> acquire(const std::filesystem::path& path, Mode mode,
                                  const std::function<void()>& on_wait = {});
  /// Nothing when another holds it.
  static Result<std::optional<FileLock>> try_acquire(const std::filesystem::path& path, Mode mode);

 private:
  explicit FileLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace curupira
