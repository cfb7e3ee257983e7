#include "launcher/supervised_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/printable.h"

namespace curupira::launcher {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A child can end while its own children hold its pipes open, so no end of file tells (mozilla-ai/mcpd#310);
/// the end is looked for this often (MoonshotAI/kimi-code#2109).
constexpr milliseconds look_again{25};
constexpr std::size_t one_go = 1u << 20;  ///< bytes of stderr taken before others have their turn

/// Keeps SIGPIPE away from this thread while it writes: a pipe has no MSG_NOSIGNAL, and the disposition of
/// the signal is the whole process's affair.
class SigpipeGuard {
 public:
  SigpipeGuard() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    if (!was_pending_) ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;
  ~SigpipeGuard() {
    if (was_pending_) return;
    const timespec at_once{};
    while (::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

void make_nonblocking(const UniqueFd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

/// Milliseconds for poll, at most `look_again`; nothing when the deadline is over.
std::optional<int> pause_until(SupervisedProcess::Deadline deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
  if (left <= milliseconds::zero()) return std::nullopt;
  return static_cast<int>(std::min(left, look_again).count());
}

/// Takes what a child writes on stderr all the time: a full pipe would stop it (mark3labs/mcp-go#956).
class StderrDrain {
 public:
  explicit StderrDrain(std::size_t tail_bytes) : tail_bytes_(tail_bytes) {}
  StderrDrain(const StderrDrain&) = delete;
  StderrDrain& operator=(const StderrDrain&) = delete;
  ~StderrDrain() { stop(); }

  Result<> start(UniqueFd pipe) {
    pipe_ = std::move(pipe);
    make_nonblocking(pipe_);
    wake_ = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake_) return fail(ErrorCode::spawn_failed, "eventfd: " + std::generic_category().message(errno));
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& error) {
      return fail(ErrorCode::spawn_failed, std::string("a thread for its stderr: ") + error.what());
    }
    return {};
  }

  void stop() {
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake_.get(), &one, sizeof one));
    thread_.join();
  }

  std::string tail() {
    const std::lock_guard lock(mutex_);
    if (!ended_) take_what_is_there();
    return tail_;
  }

 private:
  void run() {
    for (;;) {
      std::array<pollfd, 2> requests{pollfd{.fd = pipe_.get(), .events = POLLIN, .revents = 0},
                                     pollfd{.fd = wake_.get(), .events = POLLIN, .revents = 0}};
      if (::poll(requests.data(), requests.size(), -1) < 0 && errno != EINTR) return;
      if (requests[1].revents != 0) return;
      const std::lock_guard lock(mutex_);
      if (!ended_) take_what_is_there();
      if (ended_) return;
    }
  }

  void take_what_is_there() {
    std::array<char, 16 * 1024> buffer;
    for (std::size_t total = 0; total < one_go;) {
      const ssize_t count = ::read(pipe_.get(), buffer.data(), buffer.size());
      if (count > 0) {
        total += static_cast<std::size_t>(count);
        tail_.append(buffer.data(), static_cast<std::size_t>(count));
        if (tail_.size() > tail_bytes_) tail_.erase(0, tail_.size() - tail_bytes_);
      } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        ended_ = true;
        return;
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }

  const std::size_t tail_bytes_;
  UniqueFd pipe_, wake_;
  std::mutex mutex_;  ///< guards tail_, ended_ and reading
  std::string tail_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace

struct SupervisedProcess::State {
  State(ChildProcess started, std::string named, std::size_t tail_bytes)
      : child(std::move(started)), program(std::move(named)), errors(tail_bytes) {}

  std::string how_it_ended() { return program + " ended with " + child.exit_status()->to_string(); }
  bool ended() { return child.wait_for(milliseconds::zero()).has_value(); }

  /// Waits for the end and throws away what it still writes, for a full pipe would keep it from ending.
  bool ends_within(milliseconds limit) {
    const auto deadline = steady_clock::now() + limit;
    std::array<char, 16 * 1024> buffer;
    while (!ended()) {
      const auto pause = pause_until(deadline);
      if (!pause) return false;
      UniqueFd& out = child.stdout_pipe();
      if (!out) {
        child.wait_for(milliseconds(*pause));
        continue;
      }
      pollfd request{.fd = out.get(), .events = POLLIN, .revents = 0};
      if (::poll(&request, 1, *pause) <= 0) continue;
      const ssize_t count = ::read(out.get(), buffer.data(), buffer.size());
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) out.reset();
    }
    return true;
  }

  ChildProcess child;
  std::string program;
  StderrDrain errors;
};

SupervisedProcess::SupervisedProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}

SupervisedProcess::~SupervisedProcess() {
  if (!state_) return;
  state_->child.kill_all();
  state_->errors.stop();
}

Result<std::unique_ptr<SupervisedProcess>> SupervisedProcess::start(const LaunchCommand& command,
                                                                    const Environment& environment,
                                                                    std::size_t stderr_tail_bytes) {
  if (command.argv.empty()) return fail(ErrorCode::internal, "a process without a program");
  ChildSpec spec{.argv = command.argv, .environment = environment, .cwd = command.cwd};
  spec.pipe_stdin = true;
  CURUPIRA_TRY(ChildProcess child, ChildProcess::spawn(spec));
  make_nonblocking(child.stdin_pipe());
  make_nonblocking(child.stdout_pipe());
  auto state = std::make_unique<State>(std::move(child), printable(command.argv.front()), stderr_tail_bytes);
  CURUPIRA_CHECK(state->errors.start(std::move(state->child.stderr_pipe())));
  return std::unique_ptr<SupervisedProcess>(new SupervisedProcess(std::move(state)));
}

int SupervisedProcess::pid() const {
  return state_->child.pid();
}

Result<> SupervisedProcess::write(std::string_view bytes, Deadline deadline) {
  UniqueFd& pipe = state_->child.stdin_pipe();
  const SigpipeGuard guard;
  while (!bytes.empty()) {
    if (!pipe) return fail(ErrorCode::extension_transport, "the stdin of " + state_->program + " is closed");
    if (state_->ended()) return fail(ErrorCode::extension_transport, state_->how_it_ended());
    const ssize_t count = ::write(pipe.get(), bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) {
      const int error = errno;
      pipe.reset();
      if (state_->child.wait_for(look_again))
        return fail(ErrorCode::extension_transport, state_->how_it_ended());
      return fail(ErrorCode::extension_transport,
                  state_->program + " closed its stdin: " + std::generic_category().message(error));
    }
    const auto pause = pause_until(deadline);
    if (!pause)
      return fail(ErrorCode::extension_timeout,
                  state_->program + " did not read its stdin: " + format_bytes(bytes.size()) + " were left");
    pollfd request{.fd = pipe.get(), .events = POLLOUT, .revents = 0};
    ::poll(&request, 1, *pause);
  }
  return {};
}

Result<std::size_t> SupervisedProcess::read(std::span<char> buffer, Deadline deadline) {
  UniqueFd& pipe = state_->child.stdout_pipe();
  for (;;) {
    if (!pipe) return 0;
    // Asked before the read: what it wrote before its end is still read.
    const bool ended = state_->ended();
    const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
    if (count > 0) return static_cast<std::size_t>(count);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || errno != EAGAIN || ended) return 0;
    const auto pause = pause_until(deadline);
    if (!pause)
      return fail(ErrorCode::extension_timeout, state_->program + " wrote nothing on stdout in time");
    pollfd request{.fd = pipe.get(), .events = POLLIN, .revents = 0};
    ::poll(&request, 1, *pause);
  }
}

std::string SupervisedProcess::stderr_tail() {
  return state_->errors.tail();
}

std::optional<ExitStatus> SupervisedProcess::exit_status() {
  return state_->child.wait_for(milliseconds::zero());
}

ExitStatus SupervisedProcess::shut_down(milliseconds step) {
  State& state = *state_;
  // Each step is taken only when the one before was not enough (modelcontextprotocol/typescript-sdk#579).
  state.child.stdin_pipe().reset();
  if (!state.ends_within(step)) {
    state.child.signal_group(SIGTERM);
    state.ends_within(step);
  }
  // Also after a good end: what it started must not outlive it (anthropics/claude-code#27707).
  state.child.kill_all();
  return state.child.exit_status().value_or(ExitStatus{});
}

}  // namespace curupira::launcher
