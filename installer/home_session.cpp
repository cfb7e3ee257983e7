#include "installer/home_session.h"

#include <utility>

#include "base/printable.h"
#include "installer/commit.h"
#include "installer/garbage.h"

namespace curupira::installer {
namespace {

/// What killed commands left. Their unfinished objects are in the store, too, where nothing names them.
Result<> tidy(const HomeLayout& home, FileSystem& files) {
  CURUPIRA_CHECK(finish_commit(files, home));
  CURUPIRA_TRY(const auto leftovers, files.list(home.staging()));
  if (leftovers.empty()) return {};
  CURUPIRA_CHECK(collect_garbage(Store(home, files)));
  for (const auto& name : leftovers)
    CURUPIRA_CHECK(files.remove_tree(home.staging() / name));
  return {};
}

}  // namespace

Result<HomeSession> HomeSession::open(const HomeLayout& home, FileSystem& files, InstallObserver& observer) {
  if (auto made = files.create_folders(home.staging()); !made)
    return fail(
        Error(ErrorCode::home_unusable, printable(home.root.string())).caused_by(std::move(made).error()));
  CURUPIRA_TRY(FileLock lock, FileLock::acquire(home.lock(), FileLock::Mode::exclusive, [&] {
                 observer.waiting_for_lock("another curupira command");
               }));
  CURUPIRA_CHECK(tidy(home, files));
  CURUPIRA_TRY(auto staging, files.create_temporary_folder(home.staging(), "run-"));
  // On the disk before the store gets anything: it is what tells the next command to look for unfinished
  // objects.
  CURUPIRA_CHECK(files.sync_folder(home.staging()));
  return HomeSession(std::move(lock), files, std::move(staging));
}

HomeSession::HomeSession(HomeSession&& other) noexcept
    : lock_(std::move(other.lock_)), files_(other.files_), staging_(std::exchange(other.staging_, {})) {}

HomeSession::~HomeSession() {
  if (!staging_.empty()) static_cast<void>(files_->remove_tree(staging_));
}

}  // namespace curupira::installer
