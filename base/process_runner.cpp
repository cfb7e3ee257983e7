#include "base/process_runner.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/system_error.h"

namespace curupira {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// As much of a program's last words as an error shows.
constexpr std::size_t max_last_words = 2000;

/// One output stream of the program, read as far as there is something.
class OutputStream {
 public:
  OutputStream(UniqueFd& pipe, std::string_view name, std::uint64_t limit)
      : pipe_(pipe), name_(name), limit_(limit) {
    ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
  }

  int fd() const { return pipe_.get(); }
  bool too_large() const { return too_large_; }
  std::string_view name() const { return name_; }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

  /// Reads what is there now; closes the pipe at its end, at an error, and past the limit.
  void read_available() {
    std::array<char, 65536> buffer;
    while (pipe_) {
      const ssize_t count =
          retry_interrupted([&] { return ::read(pipe_.get(), buffer.data(), buffer.size()); });
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return pipe_.reset();
      const auto size = static_cast<std::size_t>(count);
      too_large_ = size > limit_ - text_.size();
      text_.append(buffer.data(), too_large_ ? static_cast<std::size_t>(limit_ - text_.size()) : size);
      if (too_large_) pipe_.reset();
    }
  }

 private:
  UniqueFd& pipe_;
  std::string_view name_;
  std::uint64_t limit_;
  std::string text_;
  bool too_large_ = false;
};

std::string last_words(const std::string& text) {
  const std::size_t begin = text.size() > max_last_words ? text.size() - max_last_words : 0;
  const std::string words = printable(std::string_view(text).substr(begin), true);
  if (words.find_first_not_of(" \n") == std::string::npos) return "it wrote nothing on standard error";
  return "its last words on standard error:\n" + words;
}

std::string format_seconds(Milliseconds time) {
  if (time.count() % 1000 == 0) return std::to_string(time.count() / 1000) + " s";
  return std::to_string(time.count()) + " ms";
}

/// Reads both streams until the program has ended. False when `deadline` came first.
bool read_until_end(ChildProcess& child, std::array<OutputStream, 2>& streams,
                    std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    if (streams[0].too_large() || streams[1].too_large()) return true;
    const auto left = std::chrono::ceil<Milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    // A closed stream is -1, which poll passes over. A descendant that keeps a stream open does not keep us.
    std::array<pollfd, 3> events{{{.fd = streams[0].fd(), .events = POLLIN, .revents = 0},
                                  {.fd = streams[1].fd(), .events = POLLIN, .revents = 0},
                                  {.fd = child.exit_fd(), .events = POLLIN, .revents = 0}}};
    const auto wait = static_cast<int>(std::min<long long>(left, 60'000));
    if (::poll(events.data(), events.size(), wait) <= 0)
      continue;  // interrupted, or time to look at the clock
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (events[i].revents != 0) streams[i].read_available();
    }
    if (events[2].revents != 0) return true;
  }
}

}  // namespace

Result<ProcessOutput> SystemProcessRunner::run(const ProcessRequest& request) {
  if (request.argv.empty()) return fail(ErrorCode::spawn_failed, "there is no program to start");
  const std::string name = printable(request.argv[0]);
  const auto program = find_program(request.environment, request.argv[0]);
  if (!program) {
    const bool path = request.argv[0].find('/') != std::string::npos;
    return fail(ErrorCode::tool_missing,
                path ? name + " is not a program that can be started"
                     : name + " is in no folder of PATH: " +
                           printable(request.environment.get_or("PATH", "(not set)")));
  }

  ChildSpec spec{
      .argv = request.argv, .environment = request.environment, .cwd = request.cwd, .input = request.input};
  spec.argv[0] = program->native();
  const auto deadline = std::chrono::steady_clock::now() + request.time_limit;
  CURUPIRA_TRY(ChildProcess child, ChildProcess::spawn(spec));
  std::array<OutputStream, 2> streams{
      OutputStream(child.stdout_pipe(), "standard output", request.max_output),
      OutputStream(child.stderr_pipe(), "standard error", request.max_output)};
  const bool in_time = read_until_end(child, streams, deadline);
  const bool ended = child.wait_for(Milliseconds(0)).has_value();
  // What it left running ends too. Then nobody writes any more, and what stands in the pipes is all.
  child.kill_all();
  for (OutputStream& stream : streams)
    stream.read_available();

  for (const OutputStream& stream : streams) {
    if (!stream.too_large()) continue;
    return fail(ErrorCode::response_too_large, name + " wrote more than " + format_bytes(request.max_output) +
                                                   " on " + std::string(stream.name()) + " and was ended");
  }
  if (!in_time && !ended) {
    return fail(ErrorCode::process_timeout, name + " did not end within " +
                                                format_seconds(request.time_limit) + " and was ended; " +
                                                last_words(streams[1].text()));
  }
  return ProcessOutput{.status = child.exit_status().value_or(ExitStatus{}),
                       .standard_output = streams[0].take(),
                       .standard_error = streams[1].take()};
}

std::optional<std::filesystem::path> find_program(const Environment& environment, std::string_view program) {
  const auto can_start = [](const std::filesystem::path& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
           ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
  };
  if (program.empty() || program.find('\0') != std::string_view::npos) return std::nullopt;
  if (program.find('/') != std::string_view::npos) {
    if (!program.starts_with('/') || !can_start(program)) return std::nullopt;
    return std::filesystem::path(program);
  }
  const std::string path = environment.get_or("PATH", "");
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    // An empty or relative entry means the current folder, where anybody may have put a program of this name.
    if (!folder.starts_with('/')) continue;
    std::filesystem::path candidate = std::filesystem::path(folder) / program;
    if (can_start(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace curupira
