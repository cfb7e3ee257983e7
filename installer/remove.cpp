#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "installer/commit.h"
#include "installer/garbage.h"
#include "installer/home_session.h"
#include "installer/installer.h"
#include "installer/limits.h"
#include "installer/lock_place.h"
#include "manifest/manifest.h"
#include "manifest/running_marker.h"

namespace curupira::installer {
namespace {

struct Place {
  const HomeLayout& home;
  FileSystem& files;
};

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

Error not_installed(const Place& place, std::string_view name) {
  Error error(ErrorCode::not_installed, in_quotes(name));
  std::vector<std::string> known;
  if (const auto names = place.files.list(place.home.extensions())) known = *names;
  if (const auto near = nearest_name(name, known))
    return std::move(error).with_help("did you mean " + in_quotes(*near) + "?");
  return error;
}

/// The installed extension's version. A receipt that cannot be read is no obstacle: removing is how one gets
/// rid of it.
Result<std::string> installed_version(const Place& place, std::string_view name) {
  // Checked before it becomes part of a path: "", ".." and "a/b" name no extension.
  if (!manifest::is_readable_extension_name(name)) return fail(not_installed(place, name));
  const auto folder = place.home.extensions() / name;
  CURUPIRA_TRY(const auto status, place.files.status(folder));
  if (!status) return fail(not_installed(place, name));
  const auto text = place.files.read_file(folder / manifest::receipt_file_name, max_receipt_bytes);
  if (status->type != FileType::directory || (!text && text.error().code() == ErrorCode::file_not_found))
    return fail(Error(ErrorCode::not_managed,
                      in_quotes(name) + " in " + printable(folder.string()) + " has no receipt")
                    .with_help("remove it with the program that installed it, or remove its folder"));
  if (!text) return std::string();
  const auto receipt = manifest::parse_receipt(*text);
  return receipt ? receipt->version : std::string();
}

Result<std::vector<manifest::RunningExtension>> running_of(const Place& place, std::string_view name) {
  CURUPIRA_TRY(auto running, manifest::running_extensions(place.home));
  std::erase_if(running, [&](const manifest::RunningExtension& extension) { return extension.name != name; });
  return running;
}

std::string process_list(const std::vector<manifest::RunningExtension>& running) {
  std::string text;
  for (const auto& extension : running)
    text += (text.empty() ? "process " : ", ") + std::to_string(extension.pid);
  return text;
}

/// The transaction, and what becomes free by it.
Result<RemovedExtension> remove_now(const Place& place, HomeSession& session, std::string_view name,
                                    const std::optional<std::filesystem::path>& lock_file) {
  RemovedExtension removed{.name = std::string(name), .version = {}};
  const Store store(place.home, place.files);
  CURUPIRA_TRY(const std::uint64_t kept_before, bytes_kept_for_rollback(store));
  Changes changes{.removed = {removed.name}, .command = "remove"};
  if (lock_file) {
    CURUPIRA_TRY(auto change, without_entry(place.files, *lock_file, name));
    if (change) changes.files.push_back(*std::move(change));
  }
  auto committed = commit_changes(place.files, place.home, session.staging(), changes);
  if (!committed) {
    if (committed.error().pending) session.leave_staging();
    return fail(std::move(committed).error().error);
  }
  for (const auto& file : changes.files) {
    OpenedLock lock{.file = file.path, .before = std::nullopt, .lock = {}};
    CURUPIRA_TRY(lock.lock, parse_lock(*file.after, file.path));
    CURUPIRA_CHECK(remember_lock(place.files, place.home, seen_by(lock)));
  }
  // It is gone, and what is left to do the next command could do as well.
  CURUPIRA_TRY(removed.freed_bytes, collect_garbage(store));
  CURUPIRA_TRY(const std::uint64_t kept_after, bytes_kept_for_rollback(store));
  removed.kept_bytes = kept_after > kept_before ? kept_after - kept_before : 0;
  return removed;
}

}  // namespace

Result<RemovedExtension> remove_extension(const HomeLayout& home, FileSystem& files, std::string_view name,
                                          const RemoveOptions& options, InstallObserver& observer) {
  const Place place{.home = home, .files = files};
  bool told = false;
  while (true) {
    std::optional<std::filesystem::path> marker;
    {
      CURUPIRA_TRY(HomeSession session, HomeSession::open(place.home, place.files, observer));
      CURUPIRA_TRY(std::string version, installed_version(place, name));
      CURUPIRA_TRY(const auto running, running_of(place, name));
      if (running.empty()) {
        CURUPIRA_TRY(RemovedExtension removed, remove_now(place, session, name, options.lock_file));
        removed.version = std::move(version);
        return removed;
      }
      if (!options.wait_until_unused)
        return fail(Error(ErrorCode::in_use, in_quotes(name) + " is run by " + process_list(running)));
      if (!std::exchange(told, true))
        observer.waiting_for_lock(process_list(running) + ", which runs " + std::string(name));
      marker = running.front().marker;
    }
    // Without the home's lock: other commands go on meanwhile.
    std::error_code problem;
    if (!std::filesystem::exists(*marker, problem)) continue;
    CURUPIRA_CHECK(FileLock::acquire(*marker, FileLock::Mode::shared));
  }
}

}  // namespace curupira::installer
