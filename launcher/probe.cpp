#include "launcher/probe.h"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "launcher/bounded_run.h"
#include "launcher/interpreter.h"

namespace curupira::launcher {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view probe_flag = "--curupira-print-manifest";

/// The shells' and bubblewrap's way to say that a signal ended a program.
constexpr int signal_base = 128;

/// Removes the temporary home whatever happened.
class TemporaryHome {
 public:
  TemporaryHome(FileSystem& files, fs::path path) : files_(files), path_(std::move(path)) {}
  TemporaryHome(const TemporaryHome&) = delete;
  TemporaryHome& operator=(const TemporaryHome&) = delete;
  ~TemporaryHome() { static_cast<void>(remove()); }

  const fs::path& path() const { return path_; }
  Result<> remove() {
    if (path_.empty()) return {};
    return files_.remove_tree(std::exchange(path_, {}));
  }

 private:
  FileSystem& files_;
  fs::path path_;
};

/// A few names, none of them the user's own (VeriTeknik/pluggedin-app#209). PATH has the interpreters, for
/// `#!` lines.
Environment inside_environment(const std::vector<fs::path>& interpreters, const Environment& outside) {
  std::string path;
  fs::path last;
  for (const fs::path& file : interpreters) {
    if (file.parent_path().filename() != "bin" || file.parent_path() == last) continue;
    last = file.parent_path();
    path += last.string() + ":";
  }
  Environment inside = outside.only({"LANG", "LC_ALL"});
  inside.set("PATH", path + "/usr/local/bin:/usr/bin:/bin");
  return inside;
}

std::optional<int> ending_signal(const ExitStatus& status, SandboxLevel level) {
  if (status.signal) return status.signal;
  if (level == SandboxLevel::bubblewrap && status.code > signal_base) return *status.code - signal_base;
  return std::nullopt;
}

/// Which resource it may have been: the kernel only says the signal.
std::string reason_of(int signal, const SandboxRules& rules) {
  switch (signal) {
    case SIGXCPU:
      return "it used more than " + std::to_string(rules.max_cpu_seconds) + " s of CPU time";
    case SIGXFSZ:
      return "it wrote a file larger than " + format_bytes(rules.max_file_size);
    case SIGKILL:
    case SIGABRT:
    case SIGTRAP:
    case SIGSEGV:
    case SIGBUS:
      return "perhaps for want of memory: it may use " + format_bytes(rules.max_memory);
    default:
      return {};
  }
}

std::string how_it_ended(const ExitStatus& status, SandboxLevel level, const SandboxRules& rules) {
  const auto signal = ending_signal(status, level);
  if (!signal) return status.to_string();
  std::string text = ExitStatus{.code = {}, .signal = *signal}.to_string();
  if (const std::string reason = reason_of(*signal, rules); !reason.empty()) text += " (" + reason + ")";
  return text;
}

std::string last_words(const BoundedRun& run) {
  std::string text = printable(run.error_tail, true);
  while (text.ends_with('\n'))
    text.pop_back();
  return text.empty() ? "it wrote nothing on stderr" : "its last words on stderr:\n" + text;
}

Result<std::string> judge(BoundedRun run, const std::string& program, SandboxLevel level,
                          const SandboxRules& rules, const ProbeLimits& limits) {
  switch (run.end) {
    case BoundedRun::End::out_of_time:
      return fail(ErrorCode::probe_timeout, program + " did not end within " +
                                                std::to_string(limits.time.count()) + " ms and was killed; " +
                                                last_words(run));
    case BoundedRun::End::too_much_output:
      return fail(ErrorCode::probe_output_too_large,
                  program + " printed more than " + format_bytes(limits.output) + " and was killed");
    case BoundedRun::End::exited:
      break;
  }
  if (!run.status.success())
    return fail(ErrorCode::probe_failed,
                program + " ended with " + how_it_ended(run.status, level, rules) + "; " + last_words(run));
  if (run.output.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorCode::probe_output, program + " printed nothing on stdout; " + last_words(run));
  return std::move(run.output);
}

}  // namespace

Result<std::string> probe(const ProbeRequest& request, Sandbox& sandbox, FileSystem& files,
                          const Environment& environment, const ProbeLimits& limits) {
  if (request.command.argv.empty()) return fail(ErrorCode::internal, "a probe without a program");
  const fs::path program = request.command.argv.front();
  CURUPIRA_TRY(fs::path folder, files.create_temporary_folder(request.scratch, "probe-home-"));
  TemporaryHome home(files, std::move(folder));

  const std::vector<fs::path> interpreters = interpreter_folders(program, environment);
  SandboxRules rules{.readable = request.readable, .home = home.path()};
  rules.readable.insert(rules.readable.end(), interpreters.begin(), interpreters.end());
  rules.max_cpu_seconds = static_cast<int>(
      std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(limits.time).count()));

  ChildSpec spec{.argv = request.command.argv, .environment = inside_environment(interpreters, environment)};
  spec.argv.emplace_back(probe_flag);
  spec.cwd = request.command.cwd;
  if (auto confined = sandbox.confine(spec, rules); !confined) return fail(std::move(confined).error());
  CURUPIRA_TRY(
      BoundedRun run,
      run_bounded(spec, {.time = limits.time, .output = limits.output, .error_tail = limits.error_tail}));
  auto text = judge(std::move(run), printable(program.string()), sandbox.level(), rules, limits);
  if (!text) return text;
  CURUPIRA_CHECK(home.remove());
  return text;
}

}  // namespace curupira::launcher
