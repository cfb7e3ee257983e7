#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/unique_fd.h"

namespace curupira::test {

/// A TCP server on a free port of the loopback that answers what a test wants, also what no real server
/// would.
class LoopbackServer {
 public:
  enum class Then {
    keep,
    close,
    silence
  };  ///< after the bytes; silence keeps the connection and never speaks again
  struct Reply {
    std::string bytes;
    Then then = Then::keep;
  };
  /// Gets the head of a request up to the empty line, and its content (`content_of`).
  using Handler = std::function<Reply(const std::string& request)>;

  explicit LoopbackServer(Handler handler) : handler_(std::move(handler)), stop_(::eventfd(0, EFD_CLOEXEC)) {
    listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), generic, size) != 0 || ::listen(listener_.get(), 64) != 0 ||
        ::getsockname(listener_.get(), generic, &size) != 0) {
      throw std::runtime_error("no loopback server");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    ::eventfd_write(stop_.get(), 1);
    thread_.join();
  }

  /// "http://127.0.0.1:PORT" + path
  std::string url(std::string_view path) const { return "http://" + authority() + std::string(path); }
  std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> requests() const {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }
  int connections() const { return connections_; }

 private:
  void serve() {
    for (;;) {
      std::vector<pollfd> events{{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                 {.fd = listener_.get(), .events = POLLIN, .revents = 0}};
      for (const auto& [fd, connection] : open_)
        events.push_back({.fd = fd, .events = POLLIN, .revents = 0});
      if (::poll(events.data(), events.size(), -1) < 0) continue;
      if (events[0].revents != 0) return;
      for (std::size_t i = 2; i < events.size(); ++i) {
        if (events[i].revents != 0 && !read(open_.at(events[i].fd))) open_.erase(events[i].fd);
      }
      if (events[1].revents == 0) continue;
      UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!fd) continue;
      ++connections_;
      const int number = fd.get();
      open_.emplace(number, Connection{std::move(fd), {}, false});
    }
  }

  struct Connection {
    UniqueFd fd;
    std::string received;
    bool silent = false;
  };

  bool read(Connection& connection) {
    char buffer[4096];
    const ssize_t count = ::recv(connection.fd.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    if (connection.silent) return true;
    connection.received.append(buffer, static_cast<std::size_t>(count));
    const std::size_t end = connection.received.find("\r\n\r\n");
    if (end == std::string::npos) return true;
    const std::size_t length = content_length(connection.received.substr(0, end + 2));
    if (connection.received.size() < end + 4 + length) {
      if (connection.received.size() == end + 4 && connection.received.find("\r\nExpect: ") < end) {
        constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        return ::send(connection.fd.get(), go_on.data(), go_on.size(), MSG_NOSIGNAL) > 0;
      }
      return true;
    }
    const std::string request =
        connection.received.substr(0, end + 2) +
        (length > 0 ? "\r\n" + connection.received.substr(end + 4, length) : std::string());
    connection.received.erase(0, end + 4 + length);
    {
      const std::scoped_lock lock(mutex_);
      requests_.push_back(request);
    }
    const Reply reply = handler_(request);
    for (std::string_view rest = reply.bytes; !rest.empty();) {
      const ssize_t sent = ::send(connection.fd.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    connection.silent = reply.then == Then::silence;
    return reply.then != Then::close;
  }

  static std::size_t content_length(const std::string& head) {
    const std::size_t begin = head.find("\r\nContent-Length: ");
    return begin == std::string::npos ? 0 : std::stoul(head.substr(begin + 18));
  }

  Handler handler_;
  UniqueFd stop_, listener_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::atomic<int> connections_ = 0;
  std::map<int, Connection> open_;
  std::thread thread_;
};

/// A whole answer with its length.
inline std::string answer(std::string_view status, std::string_view body,
                          std::string_view more_headers = "") {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(more_headers) + "\r\n" + std::string(body);
}

/// "/a?b" of "GET /a?b HTTP/1.1".
inline std::string target_of(const std::string& request) {
  const std::size_t begin = request.find(' ') + 1;
  return request.substr(begin, request.find(' ', begin) - begin);
}

/// The value of a header; empty when there is none.
inline std::string header_of(const std::string& request, std::string_view name) {
  const std::size_t begin = request.find("\r\n" + std::string(name) + ": ");
  if (begin == std::string::npos) return {};
  const std::size_t value = begin + name.size() + 4;
  return request.substr(value, request.find("\r\n", value) - value);
}

/// What came after the head.
inline std::string content_of(const std::string& request) {
  const std::size_t end = request.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : request.substr(end + 4);
}

}  // namespace curupira::test
