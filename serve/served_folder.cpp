#include "serve/served_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>

#include "base/open_beneath.h"
#include "base/system_error.h"

namespace curupira::serve {
namespace {

std::string hex(std::uint64_t number) {
  char digits[16];
  const auto written = std::to_chars(digits, digits + sizeof digits, number, 16);
  return {digits, written.ptr};
}

/// Files appear whole by a rename: another content is another inode, or has another size or time.
std::string tag_of(const struct stat& status) {
  const auto nanoseconds = static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000u +
                           static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
  return '"' + hex(status.st_ino) + "-" + hex(static_cast<std::uint64_t>(status.st_size)) + "-" +
         hex(nanoseconds) + '"';
}

}  // namespace

Result<ServedFolder> ServedFolder::open(const std::filesystem::path& folder) {
  UniqueFd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return fail(system_error(ErrorCode::file_failed, "cannot open", folder, errno));
  return ServedFolder(std::move(opened));
}

ServedFolder::Found ServedFolder::find(const std::string& path) const {
  // Without waiting: a pipe of that name would keep everybody waiting.
  UniqueFd file = open_beneath(folder_.get(), path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (!file) return {.kind = errno == EMFILE || errno == ENFILE ? Kind::busy : Kind::missing};
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return {};
  if (S_ISDIR(status.st_mode)) return {.kind = Kind::folder};
  if (!S_ISREG(status.st_mode)) return {};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return {.kind = Kind::file, .file = {.file = std::move(file), .size = size, .tag = tag_of(status)}};
}

}  // namespace curupira::serve
