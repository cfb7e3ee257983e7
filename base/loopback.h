#pragma once

#include <string_view>

namespace curupira {

/// True for the names of this machine itself: localhost, 127.0.0.0/8, ::1. Nothing sent there can be read on
/// the way.
bool is_loopback_host(std::string_view host);

}  // namespace curupira
