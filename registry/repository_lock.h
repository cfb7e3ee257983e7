#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/file_lock.h"
#include "registry/repository_folder.h"

namespace curupira::registry {

/// How a command takes the lock of a registry.
struct LockRequest {
  std::string who;    ///< for others, who are kept away: "publish by anna on build1, process 4711"
  bool wait = false;  ///< for the one who holds it
  std::function<void(const std::string& holder)> on_wait = {};  ///< called once, before waiting
};

/// The right to change a registry, held until destroyed. It ends with the process, however that ends.
class RepositoryLock {
 public:
  /// Error: registry_busy, with who holds it.
  static Result<RepositoryLock> take(const RepositoryFolder& folder, const LockRequest& request);
  RepositoryLock(RepositoryLock&& other) noexcept;
  RepositoryLock& operator=(RepositoryLock&&) = delete;
  ~RepositoryLock();

 private:
  RepositoryLock(FileLock lock, FileSystem& files, std::filesystem::path holder)
      : lock_(std::move(lock)), files_(&files), holder_(std::move(holder)) {}

  FileLock lock_;
  FileSystem* files_;
  std::filesystem::path holder_;  // empty: moved from
};

}  // namespace curupira::registry
