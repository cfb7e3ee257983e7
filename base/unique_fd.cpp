#include "base/unique_fd.h"

#include <unistd.h>

namespace curupira {

void UniqueFd::reset() {
  // Linux releases the number even when close is interrupted, so a second try could close another's
  // descriptor.
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

}  // namespace curupira
