#include "base/posix_remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/printable.h"
#include "base/system_error.h"
#include "base/unique_fd.h"

namespace curupira {
namespace {

/// Folders below this depth are moved up to the top of the tree first: each level holds a descriptor.
constexpr int max_depth = 48;
/// How often a folder is emptied again when somebody puts files into it meanwhile.
constexpr int max_rounds = 16;

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

class TreeRemoval {
 public:
  explicit TreeRemoval(std::filesystem::path shown) : shown_(std::move(shown)) {}

  /// `name` in the folder `parent`, with all below.
  Result<> remove(int parent, const std::string& name, int depth) {
    for (int round = 0; round < max_rounds;) {
      const unsigned long lifted_before = lifted_;
      if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT) return {};
      if (errno != EISDIR && errno != EPERM) return failed("remove", name, errno);

      UniqueFd folder = open_folder(parent, name);
      if (!folder) {
        if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) {
          ++round;  // replaced meanwhile: look again
          continue;
        }
        return failed("open", name, errno);
      }
      if (depth == 0) top_ = folder.get();
      CURUPIRA_CHECK(depth < max_depth ? empty(folder.get(), depth) : lift(parent, name));
      if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
      if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return failed("remove", name, errno);
      if (lifted_ == lifted_before) ++round;  // lifting is progress: the tree has become less deep
    }
    return failed("remove", name, ENOTEMPTY);
  }

 private:
  tl::unexpected<Error> failed(std::string_view what, const std::string& name, int error) const {
    // The name alone, not its folders: those are known only as descriptors.
    return fail(Error(system_error(ErrorCode::file_failed, what, name, error))
                    .while_doing("removing " + printable(shown_.native())));
  }

  /// A folder that lets us list and change it.
  static UniqueFd open_folder(int parent, const std::string& name) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd fd(retry_interrupted([&] { return ::openat(parent, name.c_str(), flags); }));
    if (!fd && errno == EACCES) {
      if (::fchmodat(parent, name.c_str(), S_IRWXU, AT_SYMLINK_NOFOLLOW) != 0) return {};
      fd = UniqueFd(retry_interrupted([&] { return ::openat(parent, name.c_str(), flags); }));
    }
    struct stat info {};
    if (fd && ::fstat(fd.get(), &info) == 0 && (info.st_mode & S_IRWXU) != S_IRWXU) {
      ::fchmod(fd.get(), S_IRWXU);  // when it fails, removing the entries says why
    }
    return fd;
  }

  Result<> empty(int folder, int depth) {
    CURUPIRA_TRY(const auto names, names_in(folder));
    for (const std::string& name : names)
      CURUPIRA_CHECK(remove(folder, name, depth + 1));
    return {};
  }

  /// Moves a deep folder to the top, where the next round finds it.
  Result<> lift(int parent, const std::string& name) {
    for (;;) {
      const std::string lifted = ".deep-" + std::to_string(lifted_++);
      if (::renameat2(parent, name.c_str(), top_, lifted.c_str(), RENAME_NOREPLACE) == 0) return {};
      if (errno != EEXIST) return failed("move", name, errno);
    }
  }

  Result<std::vector<std::string>> names_in(int folder) const {
    const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) return failed("list", ".", errno);
    const std::unique_ptr<DIR, CloseDir> dir(::fdopendir(copy));
    if (!dir) {
      ::close(copy);
      return failed("list", ".", ENOMEM);
    }
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(dir.get());
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return failed("list", ".", errno);
    return names;
  }

  std::filesystem::path shown_;
  int top_ = -1;
  unsigned long lifted_ = 0;
};

}  // namespace

Result<> posix_remove_tree(const std::filesystem::path& path) {
  std::string text = path.native();
  while (text.size() > 1 && text.ends_with('/'))
    text.pop_back();
  const std::filesystem::path clean = text;
  const std::string name = clean.filename().native();
  if (name.empty() || name == "." || name == "..") {
    return fail(system_error(ErrorCode::file_failed, "remove the folder", path, EINVAL));
  }
  const std::filesystem::path parent = clean.has_parent_path() ? clean.parent_path() : ".";
  const UniqueFd folder(
      retry_interrupted([&] { return ::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }));
  if (!folder) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return fail(system_error(ErrorCode::file_failed, "open", parent, errno));
  }
  return TreeRemoval(clean).remove(folder.get(), name, 0);
}

}  // namespace curupira
