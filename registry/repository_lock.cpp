#include "registry/repository_lock.h"

#include <utility>

#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr std::uint64_t max_holder_bytes = 4096;

/// Who holds the lock, as they wrote it down.
std::string holder_of(const RepositoryFolder& folder) {
  const auto text = folder.files().read_file(folder.holder_file(), max_holder_bytes);
  return text && !text->empty() ? excerpt(*text) : "another process";
}

}  // namespace

Result<RepositoryLock> RepositoryLock::take(const RepositoryFolder& folder, const LockRequest& request) {
  using Mode = FileLock::Mode;
  CURUPIRA_TRY(auto lock, FileLock::try_acquire(folder.lock_file(), Mode::exclusive));
  if (!lock && !request.wait) return fail(ErrorCode::registry_busy, holder_of(folder));
  if (!lock) {
    if (request.on_wait) request.on_wait(holder_of(folder));
    CURUPIRA_TRY(lock, FileLock::acquire(folder.lock_file(), Mode::exclusive));
  }
  RepositoryLock taken(*std::move(lock), folder.files(), folder.holder_file());
  // What cannot be written here is said by what is written next; without it others only do not know who.
  static_cast<void>(write_file_atomically(folder.files(), folder.holder_file(), request.who));
  return taken;
}

RepositoryLock::RepositoryLock(RepositoryLock&& other) noexcept
    : lock_(std::move(other.lock_)), files_(other.files_), holder_(std::exchange(other.holder_, {})) {}

RepositoryLock::~RepositoryLock() {
  if (!holder_.empty()) static_cast<void>(files_->remove_file(holder_));
}

}  // namespace curupira::registry
