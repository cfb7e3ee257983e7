#include "base/open_beneath.h"

#include <fcntl.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <cerrno>

namespace curupira {
namespace {

/// The same by steps, for kernels without openat2.
UniqueFd open_by_steps(int folder, const std::string& path, int flags) {
  UniqueFd here(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::size_t start = 0;
  while (here && start <= path.size()) {
    const auto slash = std::min(path.find('/', start), path.size());
    const std::string name = path.substr(start, slash - start);
    if (name == "..") {
      errno = EXDEV;
      return {};
    }
    const int wanted = slash == path.size() ? flags : O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    here = UniqueFd(::openat(here.get(), name.c_str(), wanted | O_NOFOLLOW));
    start = slash + 1;
  }
  return here;
}

}  // namespace

UniqueFd open_beneath(int folder, const std::string& path, int flags) {
#if defined(__linux__) && defined(SYS_openat2)
  open_how how{};
  how.flags = static_cast<decltype(how.flags)>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long opened = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
  if (opened >= 0) return UniqueFd(static_cast<int>(opened));
  if (errno != ENOSYS && errno != EPERM) return {};
#endif
  return open_by_steps(folder, path, flags);
}

}  // namespace curupira
