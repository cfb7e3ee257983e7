#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "serve/answer.h"
#include "serve/connection.h"

namespace curupira::serve {

struct ServeRequest {
  std::filesystem::path folder;
  std::string address = "127.0.0.1";  ///< an IP address of this machine, or "localhost"
  std::uint16_t port = 0;             ///< 0: a free one
  Page page = {};
  ServeLimits limits = {};
  std::function<void(const AnsweredRequest&)> on_answer = {};
};

/// Serves a registry's folder over HTTP/1.1, to read: one thread, which waits for no client.
class Server {
 public:
  /// Listens; clients are answered from `run` on. `clock` has to outlive it. Errors: serve_address,
  /// file_failed.
  static Result<Server> listen(const Clock& clock, ServeRequest request);
  Server(Server&&) noexcept;
  ~Server();

  std::uint16_t port() const;
  /// "http://127.0.0.1:8080/".
  std::string url() const;

  /// Until `stop` can be read: then no client is taken any more, and answers under way get a moment to end.
  /// Error: file_failed.
  Result<> run(int stop);

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace curupira::serve
