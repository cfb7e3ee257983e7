#include "base/system_error.h"

#include <cstring>
#include <system_error>

#include "base/printable.h"

namespace curupira {

std::string system_reason(int error) {
  std::string reason = std::generic_category().message(error);
  if (const char* name = ::strerrorname_np(error)) reason += " (" + std::string(name) + ")";
  return reason;
}

Error system_error(ErrorCode code, std::string_view cannot, const std::filesystem::path& path, int error) {
  return Error(
      code, "cannot " + std::string(cannot) + " " + printable(path.native()) + ": " + system_reason(error));
}

}  // namespace curupira
