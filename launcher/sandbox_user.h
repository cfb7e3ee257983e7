#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira::launcher {

/// /etc/passwd and /etc/group of a sandbox: who the program is, and nobody else. Without an entry of its own
/// a program ends when it asks who it is, as node's os.userInfo() and Python's getpass.getuser() do.
struct UserFiles {
  std::string passwd, group;
};

/// The machine's name of the user stays outside: inside it is "user", or "root" for number 0.
UserFiles user_files(uid_t user, gid_t group, const std::filesystem::path& home);

/// The text as a file in memory, read from its beginning. Error: sandbox_unavailable.
Result<UniqueFd> to_descriptor(std::string_view text);

}  // namespace curupira::launcher
