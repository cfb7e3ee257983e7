#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "serve/answer.h"

namespace curupira::serve {

/// How long a client may take, and how much it may hold.
struct ServeLimits {
  std::size_t connections = 400;                 ///< at once; each has two descriptors
  std::chrono::milliseconds head_time{10'000};   ///< from its first byte to the end of a request's head
  std::chrono::milliseconds idle_time{30'000};   ///< between two requests
  std::chrono::milliseconds stall_time{30'000};  ///< in which `stall_bytes` of an answer have to leave
  std::uint64_t stall_bytes = 16u << 10;
  std::chrono::milliseconds goodbye_time{2'000};   ///< for the client to read what ended the connection
  std::chrono::milliseconds eviction_age{1'000};   ///< without a step forward: may be closed for a new client
  std::chrono::milliseconds shutdown_time{3'000};  ///< for answers that are under way when the server ends
};

/// One answered request, for the log.
struct AnsweredRequest {
  std::string client;  ///< its address
  std::string method;  ///< "GET", "HEAD", or "-" for what is no request
  std::string target;  ///< hostile text
  int status = 0;
  std::uint64_t bytes = 0;  ///< of the body
};

/// What a connection answers with.
struct ConnectionTools {
  const Answers& answers;
  const Clock& clock;
  const ServeLimits& limits;
  const std::function<void(const AnsweredRequest&)>& on_answer;
};

/// One client: reads a request, sends its answer, and so on. It never waits; the server calls it when the
/// socket is ready, and when it has waited long enough.
class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Connection(const ConnectionTools& tools, UniqueFd socket, std::string client);

  /// Goes on as far as the socket lets it. False: it has come to its end.
  bool step();
  /// What has to happen at the socket before the next step: EPOLLIN or EPOLLOUT.
  std::uint32_t waits_for() const;
  /// False: the time of what it does is over.
  bool in_time(Time now) const;
  /// It waits for its client and has come no step forward since this time.
  Time waiting_since() const { return progress_; }
  /// Answers nothing more: what is under way is sent. False when nothing is.
  bool finish_up();
  int descriptor() const { return socket_.get(); }

 private:
  enum class State { reading, sending, leaving };
  bool read_more();
  bool begin_answer();
  bool send_more(std::uint64_t& budget);
  bool send_text(const std::string& text, std::uint64_t& sent, std::uint64_t& budget, bool more_follows);
  bool send_file(std::uint64_t& budget);
  bool discard();
  void end_answer();
  void advance(std::uint64_t bytes);
  Time now() const { return tools_.clock.steady_now(); }

  const ConnectionTools& tools_;
  UniqueFd socket_;
  std::string client_;
  State state_ = State::reading;
  bool blocked_ = false;  // the socket takes or gives nothing at the moment
  bool last_ = false;     // the server ends
  std::string received_;
  Answer answer_;
  std::uint64_t head_sent_ = 0, body_sent_ = 0;
  std::uint64_t window_bytes_ = 0;  // since `since_`
  Time since_;                      // when the time of what it does began
  Time progress_;
};

}  // namespace curupira::serve
