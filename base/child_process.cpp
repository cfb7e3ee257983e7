#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/pidfd.h"
#include "base/printable.h"
#include "base/process_tree.h"
#include "base/system_error.h"

namespace curupira {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// From fork to exec: nothing there takes long, but a folder on a dead network drive would.
constexpr Milliseconds start_limit{30'000};
constexpr Milliseconds kill_limit{4'000};

struct Pipe {
  UniqueFd read, write;
};

/// What the child was doing when it failed, sent over a pipe that closes when exec succeeds.
enum class Step : int { detach, streams, folder, descriptors, before_exec, exec };
struct StartFailure {
  Step step;
  int error;
};

/// Where the three streams of the child are put they must not lie already, so all descriptors are above them.
Result<UniqueFd> above_streams(UniqueFd fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  UniqueFd copy(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!copy) return fail(ErrorCode::spawn_failed, "no descriptor left: " + system_reason(errno));
  return copy;
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fail(ErrorCode::spawn_failed, "no pipe to the process: " + system_reason(errno));
  }
  Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  CURUPIRA_TRY(pipe.read, above_streams(std::move(pipe.read)));
  CURUPIRA_TRY(pipe.write, above_streams(std::move(pipe.write)));
  return pipe;
}

Result<UniqueFd> open_null() {
  UniqueFd fd(retry_interrupted([] { return ::open("/dev/null", O_RDWR | O_CLOEXEC); }));
  if (!fd) return fail(system_error(ErrorCode::spawn_failed, "open", "/dev/null", errno));
  return above_streams(std::move(fd));
}

/// All that the child needs, made before the fork: after it, another thread may hold the lock of malloc for
/// ever.
struct Prepared {
  std::vector<char*> argv, environment;
  const char* folder = nullptr;
  std::array<int, 3> streams{};
  const std::vector<int>* inherited = nullptr;
  const std::function<int()>* before_exec = nullptr;
  int report = -1;
  pid_t parent = 0;
  int highest_fd = 0;
};

bool keep_only(const Prepared& prepared) {
  const auto low = static_cast<unsigned>(STDERR_FILENO + 1);
  if (::close_range(low, ~0u, CLOSE_RANGE_CLOEXEC) != 0) {
    for (int fd = STDERR_FILENO + 1; fd <= prepared.highest_fd; ++fd) {  // a kernel before 5.11
      ::fcntl(fd, F_SETFD, FD_CLOEXEC);                                  // most numbers are not in use
    }
  }
  for (const int fd : *prepared.inherited) {
    if (fd > STDERR_FILENO && ::fcntl(fd, F_SETFD, 0) != 0) return false;
  }
  return true;
}

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    ::sigaction(signal, &standard, nullptr);  // refused for SIGKILL, SIGSTOP and those of the C library
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// In the child. Only async-signal-safe calls.
[[noreturn]] void become(const Prepared& prepared) {
  const auto give_up = [&](Step step, int error) {
    const StartFailure failure{step, error};
    [[maybe_unused]] const ssize_t told = ::write(prepared.report, &failure, sizeof failure);
    ::_exit(127);
  };
  if (::setsid() < 0 || ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(Step::detach, errno);
  if (::getppid() != prepared.parent) ::_exit(127);  // it died before the signal was asked for
  for (int stream = 0; stream < 3; ++stream) {
    if (::dup2(prepared.streams[static_cast<std::size_t>(stream)], stream) < 0) give_up(Step::streams, errno);
  }
  if (prepared.folder != nullptr && ::chdir(prepared.folder) != 0) give_up(Step::folder, errno);
  if (!keep_only(prepared)) give_up(Step::descriptors, errno);
  reset_signals();
  if (*prepared.before_exec) {
    if (const int error = (*prepared.before_exec)(); error != 0) give_up(Step::before_exec, error);
  }
  ::execve(prepared.argv[0], prepared.argv.data(), prepared.environment.data());
  give_up(Step::exec, errno);
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Result<> validate(const ChildSpec& spec) {
  if (spec.argv.empty()) return fail(ErrorCode::spawn_failed, "there is no program to start");
  if (!spec.argv[0].starts_with('/')) {
    return fail(ErrorCode::spawn_failed, printable(spec.argv[0]) + " is not an absolute path");
  }
  const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  const auto entries = spec.environment.entries();
  if (std::any_of(spec.argv.begin(), spec.argv.end(), has_nul) ||
      std::any_of(entries.begin(), entries.end(), has_nul)) {
    return fail(ErrorCode::spawn_failed, "an argument or environment variable for " +
                                             printable(spec.argv[0]) + " has a NUL character");
  }
  if (spec.input.size() > max_child_input) {
    return fail(ErrorCode::spawn_failed, "the standard input for " + printable(spec.argv[0]) +
                                             " is longer than " + std::to_string(max_child_input) + " bytes");
  }
  return {};
}

Error start_error(const ChildSpec& spec, const StartFailure& failure) {
  const std::string reason = system_reason(failure.error);
  std::string detail = printable(spec.argv[0]) + ": ";
  switch (failure.step) {
    case Step::folder:
      detail += "the folder " + printable(spec.cwd.value_or("").native()) + " cannot be entered: " + reason;
      break;
    case Step::before_exec:
      detail += "the limits or the sandbox of the process could not be set: " + reason;
      break;
    case Step::exec:
      detail += reason;
      if (failure.error == ENOENT && ::access(spec.argv[0].c_str(), F_OK) == 0) {
        detail += "; the file exists, so the interpreter that it names is missing";
      } else if (failure.error == ENOEXEC) {
        detail += "; the file is neither a program for this machine nor a script with a #! line";
      }
      break;
    case Step::detach:
    case Step::streams:
    case Step::descriptors:
      detail += "the process could not be set up: " + reason;
      break;
  }
  return Error(ErrorCode::spawn_failed, std::move(detail));
}

/// What the child reports; nothing when it became the program.
std::optional<StartFailure> read_report(const UniqueFd& report) {
  pollfd ready{.fd = report.get(), .events = POLLIN, .revents = 0};
  if (retry_interrupted([&] { return ::poll(&ready, 1, static_cast<int>(start_limit.count())); }) <= 0) {
    return StartFailure{Step::exec, ETIMEDOUT};
  }
  StartFailure failure{};
  const ssize_t count = retry_interrupted([&] { return ::read(report.get(), &failure, sizeof failure); });
  if (count != sizeof failure) return std::nullopt;
  return failure;
}

}  // namespace

std::string ExitStatus::to_string() const {
  if (code) return "exit code " + std::to_string(*code);
  if (!signal) return "unknown exit status";
  std::string text = "signal " + std::to_string(*signal);
  if (const char* words = ::sigdescr_np(*signal)) {
    std::string name = words;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    text += " (" + name + ")";
  }
  return text;
}

Result<> become_subreaper() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    return fail(ErrorCode::spawn_failed, "orphaned processes cannot be adopted: " + system_reason(errno));
  }
  return {};
}

Result<ChildProcess> ChildProcess::spawn(const ChildSpec& spec) {
  CURUPIRA_CHECK(validate(spec));
  ChildProcess child;
  child.mark_ = new_process_mark();
  Environment environment = spec.environment;
  environment.set(std::string(process_mark_name), child.mark_);

  CURUPIRA_TRY(const UniqueFd null, open_null());
  CURUPIRA_TRY(Pipe report, make_pipe());
  Pipe in, out, err;
  if (spec.pipe_stdin || !spec.input.empty()) {
    CURUPIRA_TRY(in, make_pipe());
  }
  if (!spec.input.empty()) {
    const ssize_t count =
        retry_interrupted([&] { return ::write(in.write.get(), spec.input.data(), spec.input.size()); });
    if (count != static_cast<ssize_t>(spec.input.size()))
      return fail(ErrorCode::spawn_failed, "its standard input: " + system_reason(errno));
    in.write.reset();
  }
  if (spec.pipe_stdout) {
    CURUPIRA_TRY(out, make_pipe());
  }
  if (spec.pipe_stderr) {
    CURUPIRA_TRY(err, make_pipe());
  }

  std::vector<std::string> argv = spec.argv;
  std::vector<std::string> variables = environment.entries();
  const std::string folder = spec.cwd ? spec.cwd->native() : "";
  Prepared prepared;
  prepared.argv = pointers(argv);
  prepared.environment = pointers(variables);
  prepared.folder = spec.cwd ? folder.c_str() : nullptr;
  prepared.streams = {in.read ? in.read.get() : null.get(), out.write ? out.write.get() : null.get(),
                      err.write ? err.write.get() : null.get()};
  prepared.inherited = &spec.inherited_fds;
  prepared.before_exec = &spec.before_exec;
  prepared.report = report.write.get();
  prepared.parent = ::getpid();
  prepared.highest_fd = static_cast<int>(std::clamp(::sysconf(_SC_OPEN_MAX), 1024L, 1L << 20));

  // No signal reaches the child before its handlers are the standard ones: ours would run there.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  const int error = errno;
  if (pid == 0) become(prepared);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    return fail(ErrorCode::spawn_failed, printable(spec.argv[0]) + ": " + system_reason(error));
  }
  child.pid_ = pid;
  child.pidfd_ = open_pidfd(pid);
  if (!child.pidfd_) {
    const Error failure(ErrorCode::spawn_failed, "no handle on the process: " + system_reason(errno));
    ::kill(pid, SIGKILL);
    retry_interrupted([&] { return ::waitpid(pid, nullptr, 0); });
    return fail(failure);
  }
  report.write.reset();
  if (const auto failure = read_report(report.read)) return fail(start_error(spec, *failure));
  child.stdin_ = std::move(in.write);
  child.stdout_ = std::move(out.read);
  child.stderr_ = std::move(err.read);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept = default;

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  kill_all();
  pid_ = other.pid_;
  mark_ = std::move(other.mark_);
  pidfd_ = std::move(other.pidfd_);
  stdin_ = std::move(other.stdin_);
  stdout_ = std::move(other.stdout_);
  stderr_ = std::move(other.stderr_);
  status_ = other.status_;
  return *this;
}

ChildProcess::~ChildProcess() {
  kill_all();
}

std::optional<ExitStatus> ChildProcess::wait_for(std::chrono::milliseconds limit) {
  if (status_ || !pidfd_) return status_;
  const auto deadline = std::chrono::steady_clock::now() + limit;
  pollfd ended{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  for (;;) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    const auto wait = std::clamp<long long>(left, 0, std::numeric_limits<int>::max());
    const int ready = ::poll(&ended, 1, static_cast<int>(wait));
    if (ready == 0) return std::nullopt;
    if (ready > 0 || errno != EINTR) break;
  }
  siginfo_t info{};
  // Not reaped yet: as long as it is a zombie, its number and so its group's cannot come to mean another's.
  const auto id = static_cast<id_t>(pidfd_.get());
  const int got =
      retry_interrupted([&] { return ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG | WNOWAIT); });
  ExitStatus status;
  if (got == 0 && info.si_pid == 0) return std::nullopt;
  if (got == 0) {
    (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  }
  status_ = status;
  return status_;
}

void ChildProcess::signal_group(int signal) {
  if (pidfd_) ::kill(-pid_, signal);
}

void ChildProcess::kill_all() {
  if (!pidfd_) return;
  kill_process_tree(pid_, mark_, kill_limit);
  if (wait_for(kill_limit)) {
    siginfo_t info{};
    const auto id = static_cast<id_t>(pidfd_.get());
    retry_interrupted([&] { return ::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG); });
  }
  pidfd_.reset();
}

}  // namespace curupira
