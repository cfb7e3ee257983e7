#include "base/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/printable.h"
#include "base/system_error.h"

namespace curupira {

Result<FileReader> FileReader::open(const std::filesystem::path& path) {
  UniqueFd fd(
      retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }));
  if (!fd) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return fail(system_error(missing ? ErrorCode::file_not_found : ErrorCode::file_failed, "cannot open",
                             path, errno));
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0)
    return fail(system_error(ErrorCode::file_failed, "cannot look at", path, errno));
  if (!S_ISREG(info.st_mode))
    return fail(ErrorCode::file_failed, printable(path.native()) + " is not a regular file");
  return FileReader(std::move(fd), static_cast<std::uint64_t>(info.st_size), path);
}

Result<std::size_t> FileReader::read(std::uint64_t offset, std::span<std::byte> buffer) const {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = retry_interrupted([&] {
      return ::pread(fd_.get(), buffer.data() + done, buffer.size() - done,
                     static_cast<off_t>(offset + done));
    });
    if (count < 0) return fail(system_error(ErrorCode::file_failed, "cannot read", path_, errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

Result<> FileReader::copy_into(ByteSink& sink) const {
  std::vector<std::byte> buffer(1u << 17U);
  for (std::uint64_t offset = 0;;) {
    CURUPIRA_TRY(const std::size_t count, read(offset, buffer));
    if (count == 0) return {};
    CURUPIRA_CHECK(sink.write(std::span(buffer).first(count)));
    offset += count;
  }
}

}  // namespace curupira
