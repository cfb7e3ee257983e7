#include "installer/folder_snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "base/printable.h"
#include "base/unique_fd.h"
#include "installer/archive_rules.h"
#include "installer/tree_writer.h"

namespace curupira::installer {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

class Snapshot {
 public:
  Snapshot(const std::filesystem::path& folder, const ArchiveLimits& limits, TreeWriter& writer)
      : shown_(folder), limits_(limits), writer_(writer) {}

  /// `prefix` is the folder's path in the snapshot, with '/', or empty.
  Result<> copy_folder(UniqueFd descriptor, const std::string& prefix) {
    CURUPIRA_TRY(const auto names, list(std::move(descriptor), prefix));
    for (const std::string& name : names.second) {
      if (name == ".git") continue;
      if (++entries_ > limits_.max_entries)
        return fail(ErrorCode::archive_bomb, show(prefix) + ": more than " +
                                                 std::to_string(limits_.max_entries) + " files and folders");
      CURUPIRA_CHECK(copy_entry(names.first.get(), name, prefix + name));
    }
    return {};
  }

 private:
  using Listing = std::pair<UniqueFd, std::vector<std::string>>;

  std::string show(const std::string& path) const { return printable((shown_ / path).string()); }
  tl::unexpected<Error> failed(const std::string& path) const {
    return fail(ErrorCode::file_failed, show(path) + ": " + std::strerror(errno));
  }

  Result<Listing> list(UniqueFd descriptor, const std::string& path) const {
    UniqueFd copy(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0));
    const std::unique_ptr<DIR, CloseFolder> folder(copy ? ::fdopendir(copy.get()) : nullptr);
    if (!folder) return failed(path);
    static_cast<void>(copy.release());
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* const entry = ::readdir(folder.get())) {
      const std::string name = static_cast<const char*>(entry->d_name);
      if (name != "." && name != "..") names.push_back(name);
      if (names.size() > limits_.max_entries)
        return fail(ErrorCode::archive_bomb,
                    show(path) + ": more than " + std::to_string(limits_.max_entries) + " files and folders");
      errno = 0;
    }
    if (errno != 0) return failed(path);
    std::sort(names.begin(), names.end());
    return Listing(std::move(descriptor), std::move(names));
  }

  Result<> copy_entry(int parent, const std::string& name, const std::string& text) {
    CURUPIRA_TRY(const RelativePath path, parse_entry_path(text, limits_.max_depth));
    struct stat status {};
    if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return failed(text);
    if (S_ISDIR(status.st_mode)) {
      UniqueFd folder(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!folder) return failed(text);
      CURUPIRA_CHECK(writer_.make_folder(path));
      return copy_folder(std::move(folder), text + "/");
    }
    if (S_ISREG(status.st_mode)) return copy_file(parent, name, path);
    if (S_ISLNK(status.st_mode)) return copy_link(parent, name, path);
    return fail(ErrorCode::archive_entry_type, show(text) + " is neither file, folder nor link");
  }

  Result<> copy_file(int parent, const std::string& name, const RelativePath& path) {
    // Not blocking: it may have become a pipe since it was looked at.
    const UniqueFd file(::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) return failed(path.text());
    if (!S_ISREG(status.st_mode))
      return fail(ErrorCode::archive_entry_type, show(path.text()) + " is no file any more");
    CURUPIRA_CHECK(writer_.begin_file(path, (status.st_mode & 0111U) != 0));
    std::uint64_t size = 0;
    std::vector<std::byte> buffer(65536);
    while (true) {
      const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return failed(path.text());
      if (count == 0) return writer_.end_file();
      size += static_cast<std::uint64_t>(count);
      bytes_ += static_cast<std::uint64_t>(count);
      if (size > limits_.max_file)
        return fail(ErrorCode::archive_bomb,
                    show(path.text()) + ": more than " + format_bytes(limits_.max_file));
      if (bytes_ > limits_.max_unpacked)
        return fail(ErrorCode::archive_bomb,
                    show(path.text()) + ": the folder has more than " + format_bytes(limits_.max_unpacked));
      CURUPIRA_CHECK(writer_.write(std::span(buffer).first(static_cast<std::size_t>(count))));
    }
  }

  Result<> copy_link(int parent, const std::string& name, const RelativePath& path) {
    std::string target(4096, '\0');
    const ssize_t length = ::readlinkat(parent, name.c_str(), target.data(), target.size());
    if (length < 0) return failed(path.text());
    target.resize(static_cast<std::size_t>(length));
    for (const char c : target)
      if (static_cast<unsigned char>(c) < 0x20)
        return fail(ErrorCode::archive_link, show(path.text()) + " has a control character in its target");
    if (target.empty() || target.front() == '/')
      return fail(ErrorCode::archive_link, show(path.text()) + " -> " + printable(target) + " is absolute");
    return writer_.symbolic_link(path, target);
  }

  std::filesystem::path shown_;
  ArchiveLimits limits_;
  TreeWriter& writer_;
  std::size_t entries_ = 0;
  std::uint64_t bytes_ = 0;
};

/// Follows every link of the finished copy: where it ends has to be in the copy.
Result<> check_links(const TreeListing& listing, const std::filesystem::path& folder) {
  std::error_code problem;
  const auto root = std::filesystem::canonical(folder, problem);
  for (const TreeEntry& entry : listing.entries()) {
    if (entry.kind != TreeEntry::Kind::link) continue;
    const auto end = std::filesystem::canonical(entry.path.below(root), problem);
    const bool inside = !problem && (end == root || end.string().starts_with(root.string() + "/"));
    if (!inside)
      return fail(ErrorCode::archive_link, printable(entry.path.text()) + " -> " + printable(entry.target) +
                                               " leads to nothing, or out of the folder");
  }
  return {};
}

}  // namespace

Result<std::string> snapshot_folder(const InstallRun& run, const std::filesystem::path& folder) {
  UniqueFd source(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!source)
    return fail(errno == ENOENT ? ErrorCode::file_not_found : ErrorCode::file_failed,
                printable(folder.string()) + ": " + std::strerror(errno));
  run.observer.unpacking(folder.filename().string());
  CURUPIRA_TRY(const auto copy, run.new_folder("tree-"));
  CURUPIRA_TRY(TreeWriter writer, TreeWriter::open(copy));
  CURUPIRA_CHECK(Snapshot(folder, run.archive_limits, writer).copy_folder(std::move(source), ""));
  CURUPIRA_TRY(const TreeListing listing, writer.finish());
  CURUPIRA_CHECK(check_links(listing, copy));
  return run.session.keep_tree(copy, listing);
}

}  // namespace curupira::installer
