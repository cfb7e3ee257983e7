#include "base/loopback.h"

namespace curupira {

bool is_loopback_host(std::string_view host) {
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace curupira
