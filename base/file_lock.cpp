#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/system_error.h"

namespace curupira {
namespace {

/// A lock file that is removed again and again while we wait for it does not exist in earnest.
constexpr int max_reopenings = 1000;

enum class Attempt { locked, busy, stale };

Result<UniqueFd> open_lock_file(const std::filesystem::path& path) {
  // Read-write also for a shared lock: NFS turns flock into a record lock, which asks for it (design.md §3).
  UniqueFd fd(retry_interrupted(
      [&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600); }));
  if (!fd) return fail(system_error(ErrorCode::lock_failed, "open the lock file", path, errno));
  return fd;
}

/// The holder before us may have removed the file: then we would hold a lock that nobody else can see.
bool still_at(const UniqueFd& fd, const std::filesystem::path& path) {
  struct stat held {};
  struct stat named {};
  return ::fstat(fd.get(), &held) == 0 && ::lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

Result<Attempt> lock(const UniqueFd& fd, const std::filesystem::path& path, int operation) {
  if (retry_interrupted([&] { return ::flock(fd.get(), operation); }) != 0) {
    if (errno == EWOULDBLOCK) return Attempt::busy;
    return fail(system_error(ErrorCode::lock_failed, "lock", path, errno));
  }
  return still_at(fd, path) ? Attempt::locked : Attempt::stale;
}

int operation_for(FileLock::Mode mode) {
  return mode == FileLock::Mode::shared ? LOCK_SH : LOCK_EX;
}

Error removed_too_often(const std::filesystem::path& path) {
  return system_error(ErrorCode::lock_failed, "keep the lock file", path, ESTALE);
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::filesystem::path& path, Mode mode,
                                   const std::function<void()>& on_wait) {
  bool told = false;
  for (int i = 0; i < max_reopenings; ++i) {
    CURUPIRA_TRY(UniqueFd fd, open_lock_file(path));
    CURUPIRA_TRY(Attempt attempt, lock(fd, path, operation_for(mode) | LOCK_NB));
    if (attempt == Attempt::busy) {
      if (on_wait && !std::exchange(told, true)) on_wait();
      CURUPIRA_TRY(attempt, lock(fd, path, operation_for(mode)));
    }
    if (attempt == Attempt::locked) return FileLock(std::move(fd));
  }
  return fail(removed_too_often(path));
}

Result<std::optional<FileLock>> FileLock::try_acquire(const std::filesystem::path& path, Mode mode) {
  for (int i = 0; i < max_reopenings; ++i) {
    CURUPIRA_TRY(UniqueFd fd, open_lock_file(path));
    CURUPIRA_TRY(const Attempt attempt, lock(fd, path, operation_for(mode) | LOCK_NB));
    if (attempt == Attempt::busy) return std::nullopt;
    if (attempt == Attempt::locked) return FileLock(std::move(fd));
  }
  return fail(removed_too_often(path));
}

}  // namespace curupira
