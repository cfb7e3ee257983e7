#include "serve/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>

#include "base/printable.h"
#include "base/system_error.h"

namespace curupira::serve {
namespace {

constexpr int waiting_clients = 128;

std::string numeric_host(const sockaddr* address, socklen_t length) {
  std::array<char, 128> host{};
  if (::getnameinfo(address, length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) return "?";
  return host.data();
}

std::uint16_t port_of(const sockaddr_storage& address) {
  // Of both families the port stands at the same place.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

}  // namespace

Result<Listener> listen_at(const std::string& address, std::uint16_t port) {
  const std::string shown = excerpt(address, 80) + " port " + std::to_string(port);
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  const std::string numeric = address == "localhost" ? "127.0.0.1" : address;
  addrinfo* found = nullptr;
  if (::getaddrinfo(numeric.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return fail(Error(ErrorCode::serve_address, "\"" + excerpt(address, 80) + "\" is no IP address")
                    .with_help("--address 127.0.0.1 is this machine only, 0.0.0.0 all of its networks"));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  const auto failed = [&] { return fail(ErrorCode::serve_address, shown + ": " + system_reason(errno)); };
  UniqueFd socket(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return failed();
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0) return failed();
  if (::listen(socket.get(), waiting_clients) != 0) return failed();
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) return failed();
  const std::string host = numeric_host(reinterpret_cast<const sockaddr*>(&bound), length);
  return Listener{.socket = std::move(socket),
                  .address = bound.ss_family == AF_INET6 ? "[" + host + "]" : host,
                  .port = port_of(bound)};
}

AcceptOutcome accept_client(const UniqueFd& listening, Client& client) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  client.socket = UniqueFd(retry_interrupted([&] {
    return ::accept4(listening.get(), reinterpret_cast<sockaddr*>(&address), &length,
                     SOCK_NONBLOCK | SOCK_CLOEXEC);
  }));
  if (!client.socket) {
    const bool exhausted = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    return exhausted ? AcceptOutcome::exhausted : AcceptOutcome::none;
  }
  const int yes = 1;
  ::setsockopt(client.socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  client.address = numeric_host(reinterpret_cast<const sockaddr*>(&address), length);
  return AcceptOutcome::client;
}

}  // namespace curupira::serve
