#include "registry/part_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/system_error.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

/// Another process that tidies up may take a new folder before it is locked.
constexpr int attempts = 100;

/// The lock on an own folder that is still at its path; empty when another one holds it.
UniqueFd lock_folder(const fs::path& path) {
  UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat held {};
  struct stat named {};
  const bool locked =
      folder && retry_interrupted([&] { return ::flock(folder.get(), LOCK_EX | LOCK_NB); }) == 0 &&
      ::fstat(folder.get(), &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
      held.st_dev == named.st_dev && held.st_ino == named.st_ino && held.st_uid == ::geteuid();
  return locked ? std::move(folder) : UniqueFd();
}

}  // namespace

void remove_left_parts(FileSystem& files, const fs::path& parent, std::string_view prefix) {
  const auto names = files.list(parent);
  if (!names) return;
  for (const std::string& name : *names) {
    if (!name.starts_with(prefix)) continue;
    if (const UniqueFd lock = lock_folder(parent / name)) static_cast<void>(files.remove_tree(parent / name));
  }
}

Result<PartFolder> PartFolder::create(FileSystem& files, const fs::path& parent, std::string_view prefix) {
  remove_left_parts(files, parent, prefix);
  for (int i = 0; i < attempts; ++i) {
    CURUPIRA_TRY(fs::path path, files.create_temporary_folder(parent, prefix));
    if (UniqueFd lock = lock_folder(path)) return PartFolder(files, std::move(path), std::move(lock));
    static_cast<void>(files.remove_tree(path));
  }
  return fail(ErrorCode::lock_failed, "a new folder in " + parent.string() + " could not be locked");
}

PartFolder::PartFolder(PartFolder&& other) noexcept
    : files_(other.files_), path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

PartFolder::~PartFolder() {
  if (!path_.empty()) static_cast<void>(files_->remove_tree(path_));
}

Result<> PartFolder::remove() {
  return files_->remove_tree(std::exchange(path_, {}));
}

}  // namespace curupira::registry
