#include "base/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "base/pidfd.h"
#include "base/system_error.h"
#include "base/unique_fd.h"

namespace curupira {
namespace {

using Time = std::chrono::steady_clock::time_point;

/// More than the system allows for an environment that we start with.
constexpr std::size_t max_environ = 4u << 20;
/// How often the tree is looked at again for processes that started meanwhile.
constexpr int max_rounds = 32;
constexpr int no_leader = -1;

struct Process {
  int pid = 0;
  int parent = 0;
  int group = 0;
  int session = 0;
  bool ended = false;  ///< a zombie
  std::uint64_t start = 0;
};

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

std::string read_proc(int pid, const char* file, std::size_t limit) {
  const std::string path = "/proc/" + std::to_string(pid) + "/" + file;
  const UniqueFd fd(retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  std::string text;
  std::array<char, 4096> buffer;
  while (fd && text.size() < limit) {
    const ssize_t count = retry_interrupted([&] { return ::read(fd.get(), buffer.data(), buffer.size()); });
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// /proc/<pid>/stat; `pid` 0 when it is gone.
Process look_at(int pid) {
  const std::string text = read_proc(pid, "stat", 4096);
  // The name of the program stands in parentheses and may hold anything, so the fields begin after the last
  // one.
  const std::size_t end_of_name = text.rfind(") ");
  if (end_of_name == std::string::npos) return {};
  std::array<std::string_view, 20> fields;
  std::string_view rest = std::string_view(text).substr(end_of_name + 2);
  for (std::string_view& field : fields) {
    const std::size_t space = rest.find(' ');
    field = rest.substr(0, space);
    rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
  }
  const auto number = [](std::string_view field, auto& value) {
    return std::from_chars(field.data(), field.data() + field.size(), value).ec == std::errc();
  };
  Process process;
  if (!number(fields[1], process.parent) || !number(fields[2], process.group) ||
      !number(fields[3], process.session) || !number(fields[19], process.start)) {
    return {};
  }
  process.ended = fields[0] == "Z" || fields[0] == "X";
  process.pid = pid;
  return process;
}

std::vector<Process> all_processes() {
  std::vector<Process> processes;
  const std::unique_ptr<DIR, CloseDir> proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    int pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    if (const Process process = look_at(pid); process.pid != 0) processes.push_back(process);
  }
  return processes;
}

/// Whether the environment of a process has a variable that begins like this ("NAME=value…").
bool carries(int pid, std::string_view begin_of_entry) {
  std::string_view rest;
  const std::string environ = read_proc(pid, "environ", max_environ);
  for (rest = environ; !rest.empty();) {
    const std::size_t end = rest.find('\0');
    if (rest.substr(0, end).starts_with(begin_of_entry)) return true;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return false;
}

class ProcessTree {
 public:
  /// Without a leader (`no_leader`) the mark alone says who belongs to it.
  ProcessTree(int leader, std::string_view mark_prefix)
      : leader_(leader), entry_(std::string(process_mark_name) + "=" + std::string(mark_prefix)) {}

  /// Stops every process of the tree, so that none can start another or lose its parent; looks until none is
  /// new.
  void stop(Time deadline) {
    for (int round = 0; round < max_rounds; ++round) {
      if (!find() || std::chrono::steady_clock::now() > deadline) return;
    }
  }

  void kill() {
    if (leader_ != no_leader) ::kill(-leader_, SIGKILL);
    for (const Member& member : members_)
      signal_pidfd(member.fd, SIGKILL);
  }

  void wait(Time deadline) {
    for (const Member& member : members_) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd ended{.fd = member.fd.get(), .events = POLLIN, .revents = 0};
      retry_interrupted(
          [&] { return ::poll(&ended, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0); });
    }
    // After all have ended: only then has each lost its parent to us. Those that others reap give ECHILD.
    for (const Member& member : members_) {
      if (member.pid != leader_)
        ::waitpid(member.pid, nullptr, WNOHANG);  // the leader's status is its owner's
    }
  }

 private:
  struct Member {
    int pid;
    UniqueFd fd;
  };

  /// Adds what is not yet known and still runs, and stops it. False when there was nothing new.
  bool find() {
    const std::vector<Process> processes = all_processes();
    bool found = false;
    for (bool grown = true; grown;) {  // until no process has a parent in the tree without being in it
      grown = false;
      for (const Process& process : processes) {
        if (pids_.contains(process.pid) || process.pid == ::getpid() || !belongs(process)) continue;
        pids_.insert(process.pid);
        grown = true;
        found = add(process) || found;
      }
    }
    return found;
  }

  bool belongs(const Process& process) {
    if (leader_ == no_leader) return belongs_by_mark(process);
    if (process.pid == leader_ || process.group == leader_ || process.session == leader_) return true;
    return belongs_by_mark(process);
  }

  bool belongs_by_mark(const Process& process) {
    if (pids_.contains(process.parent)) return true;
    if (!looked_at_.emplace(process.pid, process.start).second) return false;
    return !process.ended && carries(process.pid, entry_);
  }

  bool add(const Process& process) {
    UniqueFd fd = open_pidfd(process.pid);
    // From here on the number cannot mean another process without our noticing.
    if (!fd || look_at(process.pid).start != process.start) return false;
    const bool runs = !process.ended && signal_pidfd(fd, SIGSTOP) == 0;
    // What we may not signal (a set-id program) we do not wait for either; what has ended may need to be
    // reaped.
    if (runs || process.ended) members_.push_back({process.pid, std::move(fd)});
    return runs;
  }

  int leader_;
  std::string entry_;
  std::vector<Member> members_;
  std::set<int> pids_;
  std::set<std::pair<int, std::uint64_t>> looked_at_;
};

/// A double-forked descendant that ended by itself has left no trace but its entry among our children. The
/// leaders of our other children lead their sessions, and children in our own session are not of this kind:
/// neither is touched.
void reap_ended_orphans() {
  const int own_session = ::getsid(0);
  for (const Process& process : all_processes()) {
    if (process.ended && process.parent == ::getpid() && process.session != process.pid &&
        process.session != own_session) {
      ::waitpid(process.pid, nullptr, WNOHANG);
    }
  }
}

}  // namespace

std::string new_process_mark() {
  std::uint64_t random = 0;
  // The number of our process makes it unique enough where no random bytes are to be had.
  const auto count = retry_interrupted([&] { return ::getrandom(&random, sizeof random, 0); });
  if (count != sizeof random) {
    random = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  return mark_prefix_of(::getpid()) + std::to_string(random);
}

std::string mark_prefix_of(int host) {
  return std::to_string(host) + "-";
}

void kill_marked_processes(std::string_view mark_prefix, std::chrono::milliseconds limit) {
  const Time deadline = std::chrono::steady_clock::now() + limit;
  ProcessTree tree(no_leader, mark_prefix);
  tree.stop(deadline - limit / 2);
  tree.kill();
  tree.wait(deadline);
}

void kill_process_tree(int leader, std::string_view mark, std::chrono::milliseconds limit) {
  const Time deadline = std::chrono::steady_clock::now() + limit;
  ProcessTree tree(leader, mark);
  tree.stop(deadline - limit / 2);
  tree.kill();
  tree.wait(deadline);
  reap_ended_orphans();
}

}  // namespace curupira
