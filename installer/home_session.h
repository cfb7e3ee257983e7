#pragma once

#include <filesystem>

#include "base/file_lock.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/install_observer.h"

namespace curupira::installer {

/// The home while one command changes it: its lock is held, what a killed command left is finished or gone,
/// and there is a folder in staging/ for this command's work, which goes with the session.
class HomeSession {
 public:
  /// Errors: home_unusable, lock_failed, file_failed. `observer.waiting_for_lock` is called once when it has
  /// to wait (hashicorp/terraform#31964, opentofu/opentofu#1483).
  static Result<HomeSession> open(const HomeLayout& home, FileSystem& files, InstallObserver& observer);
  HomeSession(HomeSession&& other) noexcept;
  HomeSession& operator=(HomeSession&&) = delete;
  ~HomeSession();

  const std::filesystem::path& staging() const { return staging_; }
  /// The staging folder stays: a commit is pending, and the next command finishes it.
  void leave_staging() { staging_.clear(); }

 private:
  HomeSession(FileLock lock, FileSystem& files, std::filesystem::path staging)
      : lock_(std::move(lock)), files_(&files), staging_(std::move(staging)) {}

  FileLock lock_;
  FileSystem* files_;
  std::filesystem::path staging_;
};

}  // namespace curupira::installer
