#include "launcher/bounded_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace curupira::launcher {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How long the end of a program whose children hold the pipes stays unseen at most.
constexpr milliseconds look_again{20};

/// Reads what is there now. The pipe is closed at its end.
class Drain {
 public:
  explicit Drain(UniqueFd& pipe) : pipe_(pipe) {
    if (pipe_) ::fcntl(pipe_.get(), F_SETFL, ::fcntl(pipe_.get(), F_GETFL) | O_NONBLOCK);
  }
  bool open() const { return static_cast<bool>(pipe_); }
  pollfd request() const { return {.fd = pipe_.get(), .events = POLLIN, .revents = 0}; }

  /// At most `most` bytes in one go, for a writer may be faster than we are.
  template <class Take>
  void read_some(std::size_t most, Take&& take) {
    std::array<char, 64 * 1024> buffer;
    for (std::size_t total = 0; pipe_ && total < most;) {
      const ssize_t count = ::read(pipe_.get(), buffer.data(), buffer.size());
      if (count > 0) {
        total += static_cast<std::size_t>(count);
        take(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
      } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        pipe_.reset();
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }

 private:
  UniqueFd& pipe_;
};

constexpr std::size_t one_go = 1u << 20;

}  // namespace

Result<BoundedRun> run_bounded(const ChildSpec& spec, const RunBounds& bounds) {
  const auto deadline = steady_clock::now() + bounds.time;
  CURUPIRA_TRY(ChildProcess child, ChildProcess::spawn(spec));
  Drain out(child.stdout_pipe()), err(child.stderr_pipe());
  BoundedRun run;
  const auto read_pipes = [&] {
    out.read_some(one_go, [&](std::string_view bytes) {
      const std::uint64_t room = bounds.output - run.output.size();
      if (bytes.size() > room) run.end = BoundedRun::End::too_much_output;
      run.output.append(bytes.substr(0, room));
    });
    err.read_some(one_go, [&](std::string_view bytes) {
      run.error_tail.append(bytes);
      if (run.error_tail.size() > bounds.error_tail)
        run.error_tail.erase(0, run.error_tail.size() - bounds.error_tail);
    });
  };

  bool exited = false;
  while (run.end == BoundedRun::End::exited && !exited) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left <= milliseconds::zero()) {
      run.end = BoundedRun::End::out_of_time;
      break;
    }
    const milliseconds pause = std::min(left, look_again);
    if (out.open() || err.open()) {
      std::array<pollfd, 2> requests{out.request(), err.request()};
      ::poll(requests.data(), requests.size(), static_cast<int>(pause.count()));
      exited = child.wait_for(milliseconds::zero()).has_value();
    } else {
      exited = child.wait_for(pause).has_value();
    }
    read_pipes();
  }
  child.kill_all();
  // Nobody writes any more: what is left is at most what a pipe holds.
  if (run.end == BoundedRun::End::exited) read_pipes();
  if (const auto& status = child.exit_status()) run.status = *status;
  return run;
}

}  // namespace curupira::launcher
