#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira::serve {

/// A socket that clients can connect to.
struct Listener {
  UniqueFd socket;
  std::string address;  ///< as a URL has it: "127.0.0.1", "[::1]"
  std::uint16_t port = 0;
};

/// At an IP address of this machine or "localhost"; port 0: a free one. Error: serve_address.
Result<Listener> listen_at(const std::string& address, std::uint16_t port);

/// A client that has connected.
struct Client {
  UniqueFd socket;
  std::string address;
};
enum class AcceptOutcome { client, none, exhausted };
/// Without waiting; `exhausted` when this process or machine has no descriptors left.
AcceptOutcome accept_client(const UniqueFd& listening, Client& client);

}  // namespace curupira::serve
