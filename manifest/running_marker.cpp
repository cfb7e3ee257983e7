#include "manifest/running_marker.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "base/file_system.h"
#include "base/json.h"

namespace curupira::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_marker_bytes = 1u << 20;
// One process may run an extension under several aliases.
constexpr int max_markers_of_process = 1000;
constexpr std::string_view unfinished_suffix = ".new";

std::string marker_text(const Receipt& receipt, int pid) {
  json::Object object;
  object.set("name", receipt.name);
  object.set("pid", pid);
  object.set("content", receipt.content.digest);
  object.set("trees", json::Array(receipt.trees.begin(), receipt.trees.end()));
  return json::write(object);
}

/// Nothing when it is no marker: a waiter for the lock leaves an empty file behind when the holder has just
/// gone.
std::optional<RunningExtension> parse_marker(std::string_view text) {
  const auto value = json::parse(text);
  if (!value) return std::nullopt;
  const std::string* name = value->find_string("name");
  const std::string* content = value->find_string("content");
  const json::Value* pid = value->find("pid");
  const auto number = pid != nullptr ? pid->as_int() : std::nullopt;
  const json::Value* trees = value->find("trees");
  if (name == nullptr || content == nullptr || !number || trees == nullptr || trees->as_array() == nullptr) {
    return std::nullopt;
  }
  RunningExtension result{
      .name = *name, .pid = static_cast<int>(*number), .content_digest = *content, .trees = {}, .marker = {}};
  for (const json::Value& tree : *trees->as_array())
    if (const std::string* digest = tree.as_string()) result.trees.push_back(*digest);
  return result;
}

/// ".<name>.<pid>.<n>.new" of a process that is gone.
bool is_abandoned(std::string_view name) {
  name.remove_suffix(unfinished_suffix.size());
  const std::size_t number = name.rfind('.');
  if (number == std::string_view::npos) return false;
  name = name.substr(0, number);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  int pid = 0;
  const std::string_view digits = name.substr(dot + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (error != std::errc() || end != digits.data() + digits.size() || pid <= 0) return false;
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

Result<> write_new_file(FileSystem& files, const fs::path& path, std::string_view text) {
  CURUPIRA_TRY(auto file, files.create_file(path, 0600));
  // Not forced to the disk: a marker means nothing after the machine has stopped.
  return file->write(std::as_bytes(std::span(text)));
}

/// Gives the locked, complete file its visible name. A hard link never replaces a marker, not even that of an
/// earlier process with the same id.
Result<fs::path> publish(FileSystem& files, const fs::path& unfinished, const fs::path& folder,
                         const std::string& stem) {
  for (int n = 1; n <= max_markers_of_process; ++n) {
    const fs::path marker = folder / (n == 1 ? stem : stem + "." + std::to_string(n));
    auto linked = files.hard_link(unfinished, marker);
    if (linked) return marker;
    CURUPIRA_TRY(const auto existing, files.status(marker));
    if (!existing) return fail(std::move(linked).error());
  }
  return fail(ErrorCode::lock_failed, "too many markers of this process in " + folder.string());
}

Result<fs::path> create_unfinished(FileSystem& files, const fs::path& folder, const std::string& stem,
                                   std::string_view text) {
  for (int n = 1; n <= max_markers_of_process; ++n) {
    const fs::path path = folder / ("." + stem + "." + std::to_string(n) + std::string(unfinished_suffix));
    CURUPIRA_TRY(const auto existing, files.status(path));
    if (existing) continue;
    CURUPIRA_CHECK(write_new_file(files, path, text));
    return path;
  }
  return fail(ErrorCode::lock_failed, "too many unfinished markers of this process in " + folder.string());
}

}  // namespace

// A marker appears under its name only when it is locked and complete: a scan never takes a starting command
// for a dead one.
Result<RunningMarker> RunningMarker::create(const HomeLayout& home, const Receipt& receipt) {
  const auto files = make_posix_file_system();
  const int pid = static_cast<int>(::getpid());
  const fs::path folder = home.running();
  const std::string stem = receipt.name + "." + std::to_string(pid);
  CURUPIRA_CHECK(files->create_folders(folder));
  CURUPIRA_TRY(const auto unfinished, create_unfinished(*files, folder, stem, marker_text(receipt, pid)));
  auto lock = FileLock::acquire(unfinished, FileLock::Mode::exclusive);
  if (!lock) return fail(std::move(lock).error());
  auto marker = publish(*files, unfinished, folder, stem);
  CURUPIRA_CHECK(files->remove_file(unfinished));
  if (!marker) return fail(std::move(marker).error());
  return RunningMarker(*std::move(marker), *std::move(lock));
}

RunningMarker::RunningMarker(RunningMarker&& other) noexcept
    : file_(std::exchange(other.file_, {})), lock_(std::exchange(other.lock_, std::nullopt)) {}

RunningMarker& RunningMarker::operator=(RunningMarker&& other) noexcept {
  if (this == &other) return *this;
  remove();
  file_ = std::exchange(other.file_, {});
  lock_ = std::exchange(other.lock_, std::nullopt);
  return *this;
}

RunningMarker::~RunningMarker() {
  remove();
}

void RunningMarker::remove() noexcept {
  if (!lock_) return;
  // Before the lock goes: a marker that can be locked may be taken for one of a process that died.
  std::error_code ignored;
  fs::remove(file_, ignored);
  lock_.reset();
}

Result<std::vector<RunningExtension>> running_extensions(const HomeLayout& home) {
  const auto files = make_posix_file_system();
  const auto names = files->list(home.running());
  if (!names && names.error().code() == ErrorCode::file_not_found) return std::vector<RunningExtension>();
  if (!names) return fail(names.error());
  std::vector<RunningExtension> running;
  for (const std::string& name : *names) {
    const fs::path path = home.running() / name;
    if (name.starts_with('.')) {
      if (name.ends_with(unfinished_suffix) && is_abandoned(name)) CURUPIRA_CHECK(files->remove_file(path));
      continue;
    }
    // Shared: two commands that look at the same time must not take each other for the holder.
    CURUPIRA_TRY(auto lock, FileLock::try_acquire(path, FileLock::Mode::shared));
    if (lock) {
      CURUPIRA_CHECK(files->remove_file(path));
      continue;
    }
    const auto text = files->read_file(path, max_marker_bytes);
    if (!text && text.error().code() == ErrorCode::file_not_found) continue;
    if (!text) return fail(text.error());
    auto extension = parse_marker(*text);
    if (!extension) continue;
    extension->marker = path;
    running.push_back(*std::move(extension));
  }
  return running;
}

}  // namespace curupira::manifest
