#include "launcher/sandbox_user.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace curupira::launcher {

UserFiles user_files(uid_t user, gid_t group, const std::filesystem::path& home) {
  const std::string name = user == 0 ? "root" : "user";
  const std::string numbers = std::to_string(user) + ":" + std::to_string(group);
  // A colon or a new line in a path would make other fields of it.
  const std::string& path = home.native();
  const bool fits = !path.empty() && path.find_first_of(":\n") == std::string::npos;
  return {.passwd = name + ":x:" + numbers + ":" + name + ":" + (fits ? path : "/") + ":/bin/sh\n",
          .group = (group == 0 ? "root" : "user") + (":x:" + std::to_string(group)) + ":\n"};
}

Result<UniqueFd> to_descriptor(std::string_view text) {
  const auto failure = [](int error) {
    return fail(ErrorCode::sandbox_unavailable,
                "a file in memory could not be made: " + std::generic_category().message(error));
  };
  UniqueFd file(::memfd_create("user", MFD_CLOEXEC));
  if (!file) return failure(errno);
  if (::pwrite(file.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    return failure(errno);
  return file;
}

}  // namespace curupira::launcher
