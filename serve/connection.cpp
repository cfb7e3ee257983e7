#include "serve/connection.h"

#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/system_error.h"

namespace curupira::serve {
namespace {

/// What one client gets before it is another one's turn.
constexpr std::uint64_t turn_bytes = 1u << 20;
constexpr std::uint64_t max_discarded_bytes = 64u << 10;

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

}  // namespace

Connection::Connection(const ConnectionTools& tools, UniqueFd socket, std::string client)
    : tools_(tools),
      socket_(std::move(socket)),
      client_(std::move(client)),
      since_(now()),
      progress_(since_) {}

std::uint32_t Connection::waits_for() const {
  return state_ == State::sending ? EPOLLOUT : EPOLLIN;
}

bool Connection::in_time(Time time) const {
  const ServeLimits& limits = tools_.limits;
  switch (state_) {
    case State::reading:
      return time - since_ < (received_.empty() ? limits.idle_time : limits.head_time);
    case State::sending:
      return time - since_ < limits.stall_time;
    case State::leaving:
      return time - since_ < limits.goodbye_time;
  }
  return false;
}

bool Connection::finish_up() {
  last_ = true;
  if (state_ == State::reading) return false;
  answer_.keep_alive = false;
  return true;
}

bool Connection::step() {
  std::uint64_t budget = turn_bytes;
  blocked_ = false;
  while (!blocked_ && budget > 0) {
    const bool goes_on = state_ == State::reading   ? read_more()
                         : state_ == State::sending ? send_more(budget)
                                                    : discard();
    if (!goes_on) return false;
  }
  return true;
}

bool Connection::read_more() {
  if (begin_answer()) return true;
  std::array<char, 4096> bytes{};
  const auto count =
      retry_interrupted([&] { return ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT); });
  if (count < 0) return blocked_ = would_block(errno);
  if (count == 0) return false;
  if (received_.empty()) since_ = now();
  received_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

/// When a whole head is there, or can become none.
bool Connection::begin_answer() {
  const auto length = head_length(received_);
  const bool too_long = length.value_or(received_.size()) > max_head_bytes;
  if (!length && !too_long) return false;
  const ParsedRequest parsed = too_long ? ParsedRequest{.refusal = 431}
                                        : parse_request(std::string_view(received_).substr(0, *length));
  received_.erase(0, length.value_or(received_.size()));
  const auto time = std::chrono::floor<std::chrono::seconds>(tools_.clock.now());
  answer_ = parsed.refusal == 0 ? tools_.answers.to(parsed.request, time)
                                : tools_.answers.refusal(parsed.refusal, time);
  if (last_) answer_.keep_alive = false;
  state_ = State::sending;
  head_sent_ = body_sent_ = window_bytes_ = 0;
  since_ = progress_ = now();
  if (tools_.on_answer)
    tools_.on_answer({.client = client_,
                      .method = parsed.refusal != 0   ? "-"
                                : parsed.request.head ? "HEAD"
                                                      : "GET",
                      .target = parsed.request.target,
                      .status = answer_.status,
                      .bytes = answer_.length});
  return true;
}

bool Connection::send_more(std::uint64_t& budget) {
  if (head_sent_ < answer_.head.size())
    return send_text(answer_.head, head_sent_, budget, answer_.length > 0);
  if (body_sent_ < answer_.length)
    return answer_.file ? send_file(budget) : send_text(answer_.text, body_sent_, budget, false);
  end_answer();
  return true;
}

bool Connection::send_text(const std::string& text, std::uint64_t& sent, std::uint64_t& budget,
                           bool more_follows) {
  const auto length = std::min<std::uint64_t>(text.size() - sent, budget);
  const auto count = retry_interrupted([&] {
    return ::send(socket_.get(), text.data() + sent, length,
                  MSG_DONTWAIT | MSG_NOSIGNAL | (more_follows ? MSG_MORE : 0));
  });
  if (count < 0) return blocked_ = would_block(errno);
  sent += static_cast<std::uint64_t>(count);
  budget -= static_cast<std::uint64_t>(count);
  advance(static_cast<std::uint64_t>(count));
  return true;
}

bool Connection::send_file(std::uint64_t& budget) {
  auto offset = static_cast<off_t>(answer_.offset + body_sent_);
  const auto length = std::min(answer_.length - body_sent_, budget);
  const auto count =
      retry_interrupted([&] { return ::sendfile(socket_.get(), answer_.file.get(), &offset, length); });
  if (count < 0) return blocked_ = would_block(errno);
  // Somebody made the file shorter: the client sees by the length that something is missing.
  if (count == 0) return false;
  body_sent_ += static_cast<std::uint64_t>(count);
  budget -= static_cast<std::uint64_t>(count);
  advance(static_cast<std::uint64_t>(count));
  return true;
}

void Connection::advance(std::uint64_t bytes) {
  progress_ = now();
  window_bytes_ += bytes;
  if (window_bytes_ < tools_.limits.stall_bytes) return;
  since_ = progress_;
  window_bytes_ = 0;
}

void Connection::end_answer() {
  since_ = progress_ = now();
  if (answer_.keep_alive) {
    state_ = State::reading;
  } else {
    // Closed with bytes that nobody read, the client would lose the answer (RFC 9112 §9.6).
    state_ = State::leaving;
    body_sent_ = 0;
    ::shutdown(socket_.get(), SHUT_WR);
  }
  answer_ = {};
}

bool Connection::discard() {
  std::array<char, 4096> bytes{};
  const auto count =
      retry_interrupted([&] { return ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT); });
  if (count < 0) return blocked_ = would_block(errno);
  body_sent_ += static_cast<std::uint64_t>(count);
  return count > 0 && body_sent_ < max_discarded_bytes;
}

}  // namespace curupira::serve
