#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace curupira {

/// "Permission denied (EACCES)": the system's words for an errno, and its name to search for.
std::string system_reason(int error);

/// "cannot open /a/b: Permission denied (EACCES)". The path is shown printable.
Error system_error(ErrorCode code, std::string_view cannot, const std::filesystem::path& path, int error);

/// Calls `operation` again for as long as a signal interrupts it.
template <class Operation>
auto retry_interrupted(Operation operation) {
  auto result = operation();
  while (result == -1 && errno == EINTR)
    result = operation();
  return result;
}

}  // namespace curupira
