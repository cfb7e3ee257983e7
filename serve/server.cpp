#include "serve/server.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <optional>

#include "base/system_error.h"
#include "serve/listener.h"

namespace curupira::serve {
namespace {

using Time = Connection::Time;

constexpr int tick_milliseconds = 250;
constexpr int max_events = 128;

tl::unexpected<Error> epoll_failed() {
  return fail(ErrorCode::file_failed, "epoll: " + system_reason(errno));
}

/// Keeps connections and knows which of them can go on.
class Loop {
 public:
  Loop(const ConnectionTools& tools, const UniqueFd& listening, int stop)
      : tools_(tools), listening_(listening), stop_(stop) {}

  Result<> run() {
    epoll_ = UniqueFd(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_ || !watch(EPOLL_CTL_ADD, stop_, EPOLLIN)) return epoll_failed();
    while (!ended()) {
      CURUPIRA_CHECK(listen_while_there_is_room());
      std::array<epoll_event, max_events> events{};
      const int count = ::epoll_wait(epoll_.get(), events.data(), max_events, tick_milliseconds);
      if (count < 0 && errno != EINTR) return epoll_failed();
      for (int i = 0; i < count; ++i)
        handle(events[static_cast<std::size_t>(i)].data.fd);
      end_late_ones();
    }
    return {};
  }

 private:
  bool watch(int operation, int descriptor, std::uint32_t for_what) {
    epoll_event event{.events = for_what, .data = {.fd = descriptor}};
    return ::epoll_ctl(epoll_.get(), operation, descriptor, &event) == 0;
  }

  Time now() const { return tools_.clock.steady_now(); }
  bool full() const { return connections_.size() >= tools_.limits.connections; }
  bool ended() const {
    return stopped_at_ && (connections_.empty() || now() - *stopped_at_ > tools_.limits.shutdown_time);
  }

  /// A server that is full does not ask for clients whom it would only have to send away again and again.
  Result<> listen_while_there_is_room() {
    const bool wanted = !stopped_at_ && (!full() || longest_waiting() != connections_.end());
    if (wanted == listens_) return {};
    if (!watch(wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, listening_.get(), EPOLLIN)) return epoll_failed();
    listens_ = wanted;
    return {};
  }

  void handle(int descriptor) {
    if (descriptor == stop_) return stop();
    if (descriptor == listening_.get()) return take_clients();
    const auto found = connections_.find(descriptor);
    if (found != connections_.end()) go_on(found);
  }

  void stop() {
    if (stopped_at_) return;
    stopped_at_ = now();
    watch(EPOLL_CTL_DEL, stop_, 0);
    for (auto each = connections_.begin(); each != connections_.end();)
      each = each->second.finish_up() ? std::next(each) : connections_.erase(each);
  }

  void take_clients() {
    while (!stopped_at_) {
      if (full() && !make_room()) return;
      Client client;
      const AcceptOutcome outcome = accept_client(listening_, client);
      if (outcome == AcceptOutcome::exhausted && make_room()) continue;
      if (outcome != AcceptOutcome::client) return;
      const int descriptor = client.socket.get();
      const auto added =
          connections_.try_emplace(descriptor, tools_, std::move(client.socket), client.address);
      if (watch(EPOLL_CTL_ADD, descriptor, EPOLLIN))
        go_on(added.first);
      else
        connections_.erase(added.first);
    }
  }

  using Connections = std::map<int, Connection>;

  void go_on(Connections::iterator connection) {
    const int descriptor = connection->first;
    // Closing takes a descriptor out of epoll.
    if (!connection->second.step() || !watch(EPOLL_CTL_MOD, descriptor, connection->second.waits_for()))
      connections_.erase(connection);
  }

  Connections::iterator longest_waiting() {
    const auto longest = std::ranges::min_element(
        connections_, {}, [](const auto& each) { return each.second.waiting_since(); });
    if (longest == connections_.end()) return longest;
    const bool old = now() - longest->second.waiting_since() > tools_.limits.eviction_age;
    return old ? longest : connections_.end();
  }

  /// Of those who keep a full server waiting, whoever does so for the longest time goes.
  bool make_room() {
    const auto longest = longest_waiting();
    if (longest == connections_.end()) return false;
    connections_.erase(longest);
    return true;
  }

  void end_late_ones() {
    const Time time = now();
    std::erase_if(connections_, [&](const auto& each) { return !each.second.in_time(time); });
  }

  const ConnectionTools& tools_;
  const UniqueFd& listening_;
  int stop_;
  UniqueFd epoll_;
  Connections connections_;
  bool listens_ = false;
  std::optional<Time> stopped_at_;
};

}  // namespace

struct Server::State {
  const Clock& clock;
  ServeRequest request;
  Answers answers;
  Listener listener;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;
Server::~Server() = default;

Result<Server> Server::listen(const Clock& clock, ServeRequest request) {
  CURUPIRA_TRY(ServedFolder folder, ServedFolder::open(request.folder));
  CURUPIRA_TRY(Listener listener, listen_at(request.address, request.port));
  Answers answers(std::move(folder), request.page);
  return Server(
      std::unique_ptr<State>(new State{clock, std::move(request), std::move(answers), std::move(listener)}));
}

std::uint16_t Server::port() const {
  return state_->listener.port;
}

std::string Server::url() const {
  return "http://" + state_->listener.address + ":" + std::to_string(port()) + "/";
}

Result<> Server::run(int stop) {
  const ConnectionTools tools{state_->answers, state_->clock, state_->request.limits,
                              state_->request.on_answer};
  return Loop(tools, state_->listener.socket, stop).run();
}

}  // namespace curupira::serve
