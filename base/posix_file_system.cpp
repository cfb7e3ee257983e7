#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "base/file_system.h"
#include "base/posix_remove_tree.h"
#include "base/printable.h"
#include "base/system_error.h"
#include "base/unique_fd.h"

namespace curupira {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(std::string_view cannot, const fs::path& path, int error) {
  return fail(system_error(ErrorCode::file_failed, cannot, path, error));
}

/// For reading: that the path does not exist is an answer of its own.
tl::unexpected<Error> failed_reading(std::string_view cannot, const fs::path& path, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return fail(Error(ErrorCode::file_not_found, printable(path.native()) + ": " + system_reason(error)));
  }
  return failed(cannot, path, error);
}

Result<> check(int result, std::string_view cannot, const fs::path& path) {
  if (result != 0) return failed(cannot, path, errno);
  return {};
}

FileStatus to_status(const struct stat& info) {
  FileStatus status;
  status.type = S_ISREG(info.st_mode)   ? FileType::regular
                : S_ISDIR(info.st_mode) ? FileType::directory
                : S_ISLNK(info.st_mode) ? FileType::symlink
                                        : FileType::other;
  status.size = static_cast<std::uint64_t>(info.st_size);
  status.mode = info.st_mode & 07777u;
  status.link_count = info.st_nlink;
  status.inode = info.st_ino;
  status.modified =
      std::chrono::system_clock::time_point(std::chrono::duration_cast<std::chrono::system_clock::duration>(
          std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::nanoseconds(info.st_mtim.tv_nsec)));
  return status;
}

/// The path without slashes at its end: "link/" would mean what the link leads to.
fs::path without_slash(const fs::path& path) {
  std::string text = path.native();
  while (text.size() > 1 && text.ends_with('/'))
    text.pop_back();
  return text;
}

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(UniqueFd fd, fs::path path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<> write(std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = retry_interrupted([&] { return ::write(fd_.get(), bytes.data(), bytes.size()); });
      if (count < 0) return failed("write", path_, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
  }

  Result<> restart() override {
    CURUPIRA_CHECK(check(::ftruncate(fd_.get(), 0), "empty", path_));
    if (::lseek(fd_.get(), 0, SEEK_SET) != 0) return failed("rewind", path_, errno);
    return {};
  }

  Result<> commit() override {
    if (retry_interrupted([&] { return ::fsync(fd_.get()); }) != 0) {
      return failed("force to the disk", path_, errno);
    }
    // Some file systems tell only now that there was no room. EINTR: the descriptor is closed all the same.
    if (::close(fd_.release()) != 0 && errno != EINTR) return failed("close", path_, errno);
    return {};
  }

 private:
  UniqueFd fd_;
  fs::path path_;
};

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

class PosixFileSystem final : public FileSystem {
 public:
  Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) const override {
    // Non-blocking: opening a pipe that nobody writes to would wait for ever.
    const UniqueFd fd(retry_interrupted(
        [&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }));
    if (!fd) return failed_reading("open", path, errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) return failed("look at", path, errno);
    if (S_ISDIR(info.st_mode)) return failed("read", path, EISDIR);
    if (!S_ISREG(info.st_mode)) {
      return fail(ErrorCode::file_failed, printable(path.native()) + " is not a regular file");
    }
    std::string text;
    text.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(to_status(info).size, max_bytes)));
    std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t count = retry_interrupted([&] { return ::read(fd.get(), buffer.data(), buffer.size()); });
      if (count < 0) return failed("read", path, errno);
      if (count == 0) return text;
      if (static_cast<std::uint64_t>(count) > max_bytes - text.size()) {
        return fail(ErrorCode::response_too_large,
                    printable(path.native()) + " is larger than " + format_bytes(max_bytes));
      }
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

  Result<std::optional<FileStatus>> status(const fs::path& path) const override {
    struct stat info {};
    if (::lstat(without_slash(path).c_str(), &info) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
      return failed("look at", path, errno);
    }
    return to_status(info);
  }

  Result<std::vector<std::string>> list(const fs::path& folder) const override {
    UniqueFd fd(
        retry_interrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (!fd) return failed_reading("open the folder", folder, errno);
    const std::unique_ptr<DIR, CloseDir> dir(::fdopendir(fd.get()));
    if (!dir) return failed("list", folder, errno);
    fd.release();
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(dir.get());
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return failed("list", folder, errno);
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<std::string> read_link(const fs::path& path) const override {
    std::array<char, 4097> target;  // the system has no longer ones
    const ssize_t count = ::readlink(path.c_str(), target.data(), target.size());
    if (count < 0) return failed_reading("read the link", path, errno);
    return std::string(target.data(), static_cast<std::size_t>(count));
  }

  Result<std::unique_ptr<WritableFile>> create_file(const fs::path& path, unsigned mode) override {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd fd(retry_interrupted([&] { return ::open(path.c_str(), flags, mode & 0777u); }));
    if (!fd) return failed("create", path, errno);
    // Exactly the mode that is asked for, whatever the umask: the digest of a tree covers it.
    CURUPIRA_CHECK(check(::fchmod(fd.get(), mode & 07777u), "set the mode of", path));
    return std::make_unique<PosixWritableFile>(std::move(fd), path);
  }

  Result<std::unique_ptr<WritableFile>> append_to_file(const fs::path& path) override {
    constexpr int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    UniqueFd fd(retry_interrupted([&] { return ::open(path.c_str(), flags); }));
    if (!fd) return failed_reading("open", path, errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) return failed("look at", path, errno);
    if (!S_ISREG(info.st_mode))
      return fail(ErrorCode::file_failed, printable(path.native()) + " is not a regular file");
    return std::make_unique<PosixWritableFile>(std::move(fd), path);
  }

  Result<> create_folders(const fs::path& path) override {
    // Nothing is asked beforehand: another process may make the same folders at the same time.
    fs::path made;
    int last_error = 0;
    for (const fs::path& part : path) {
      made /= part;
      last_error = ::mkdir(made.c_str(), 0777) == 0 || errno == EEXIST ? 0 : errno;
      if (last_error == 0 || last_error == EROFS || last_error == EACCES || last_error == EPERM) {
        continue;  // the part may exist on a read-only or foreign folder; the last look decides
      }
      return failed("create the folder", made, last_error);
    }
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) {
      return failed("create the folder", path, last_error != 0 ? last_error : errno);
    }
    if (!S_ISDIR(info.st_mode)) return failed("create the folder", path, ENOTDIR);
    return {};
  }

  Result<fs::path> create_temporary_folder(const fs::path& parent, std::string_view prefix) override {
    std::string name = (parent / (std::string(prefix) + "XXXXXX")).native();
    if (::mkdtemp(name.data()) == nullptr) return failed("create a temporary folder in", parent, errno);
    return fs::path(std::move(name));
  }

  Result<> rename(const fs::path& from, const fs::path& to) override {
    return check(::rename(from.c_str(), to.c_str()), "rename " + printable(from.native()) + " to", to);
  }

  Result<> exchange(const fs::path& a, const fs::path& b) override {
    return check(::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE),
                 "exchange " + printable(a.native()) + " with", b);
  }

  Result<> hard_link(const fs::path& existing, const fs::path& link) override {
    // Flags 0: a symbolic link is linked itself, not what it leads to.
    return check(::linkat(AT_FDCWD, existing.c_str(), AT_FDCWD, link.c_str(), 0),
                 "link " + printable(existing.native()) + " as", link);
  }

  Result<> symbolic_link(std::string_view target, const fs::path& link) override {
    if (target.find('\0') != std::string_view::npos) return failed("create the link", link, EINVAL);
    return check(::symlink(std::string(target).c_str(), link.c_str()), "create the link", link);
  }

  Result<> set_mode(const fs::path& path, unsigned mode) override {
    return check(::fchmodat(AT_FDCWD, path.c_str(), mode & 07777u, AT_SYMLINK_NOFOLLOW), "set the mode of",
                 path);
  }

  Result<> remove_file(const fs::path& path) override {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR) return {};
    return failed("remove", path, errno);
  }

  Result<> remove_tree(const fs::path& path) override { return posix_remove_tree(path); }

  Result<> sync_folder(const fs::path& path) override {
    const UniqueFd fd(
        retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (!fd) return failed("open the folder", path, errno);
    // EINVAL: a file system that has nothing to force.
    if (retry_interrupted([&] { return ::fsync(fd.get()); }) != 0 && errno != EINVAL) {
      return failed("force to the disk", path, errno);
    }
    return {};
  }
};

/// A name that no other process or thread uses.
Result<std::string> temporary_name() {
  std::array<unsigned char, 8> random;
  const auto count = retry_interrupted([&] { return ::getrandom(random.data(), random.size(), 0); });
  if (count != static_cast<ssize_t>(random.size())) {
    return fail(ErrorCode::file_failed, "no random bytes: " + system_reason(errno));
  }
  std::string name(atomic_write_prefix);
  for (const unsigned char byte : random) {
    constexpr std::string_view digits = "0123456789abcdef";
    name += digits[byte >> 4];
    name += digits[byte & 15];
  }
  return name;
}

}  // namespace

Result<> write_file_atomically(FileSystem& files, const fs::path& path, std::string_view bytes,
                               unsigned mode) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  CURUPIRA_TRY(const std::string name, temporary_name());
  const fs::path temporary = folder / name;
  const auto write = [&]() -> Result<> {
    CURUPIRA_TRY(const auto file, files.create_file(temporary, mode));
    CURUPIRA_CHECK(file->write(std::as_bytes(std::span(bytes))));
    CURUPIRA_CHECK(file->commit());
    return files.rename(temporary, path);
  };
  if (auto written = write(); !written) {
    // What failed is worth telling; that the rest could not be removed either is not.
    static_cast<void>(files.remove_file(temporary));
    return written;
  }
  return files.sync_folder(folder);
}

std::unique_ptr<FileSystem> make_posix_file_system() {
  return std::make_unique<PosixFileSystem>();
}

}  // namespace curupira
