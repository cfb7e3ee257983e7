#include "launcher/bubblewrap_sandbox.h"

#include <unistd.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <system_error>

#include "launcher/resource_limits.h"
#include "launcher/sandbox_user.h"
#include "launcher/seccomp_filter.h"
#include "launcher/visible_paths.h"

namespace curupira::launcher {

namespace fs = std::filesystem;

namespace {

constexpr const char* temporary_bytes = "67108864";      ///< of /tmp inside
constexpr const char* shared_memory_bytes = "16777216";  ///< of /dev/shm inside

/// What bwrap reads from descriptors that it inherits.
struct FilesInMemory {
  UniqueFd filter, passwd, group;
  std::array<int, 3> all() const { return {filter.get(), passwd.get(), group.get()}; }
};

class Arguments {
 public:
  explicit Arguments(const fs::path& program) : all_{program.string()} {}
  void add(std::initializer_list<std::string> words) { all_.insert(all_.end(), words); }
  void bind(const char* kind, const fs::path& path) { add({kind, path.string(), path.string()}); }
  void end_with(const std::vector<std::string>& command) {
    all_.emplace_back("--");
    all_.insert(all_.end(), command.begin(), command.end());
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

/// /lib is a link to usr/lib on most systems: then a link inside, too.
void show_system(Arguments& arguments, const std::vector<fs::path>& system) {
  for (const fs::path& path : system) {
    std::error_code error;
    const bool top_level_link = path.parent_path() == "/" && fs::is_symlink(fs::symlink_status(path, error));
    if (top_level_link)
      arguments.add({"--symlink", fs::read_symlink(path, error).string(), path.string()});
    else
      arguments.bind("--ro-bind", path);
  }
}

}  // namespace

Result<> BubblewrapSandbox::confine(ChildSpec& spec, const SandboxRules& rules) {
  if (spec.argv.empty()) return fail(ErrorCode::internal, "a sandboxed program without arguments");
  CURUPIRA_TRY(const BpfProgram program, make_seccomp_filter({}));
  auto files = std::make_shared<FilesInMemory>();
  CURUPIRA_TRY(files->filter, to_descriptor(program));

  Arguments arguments(bwrap_);
  arguments.add({"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname",
                 "localhost"});
  // What is mounted later lies above: /tmp is first, for packages and homes may be below it.
  arguments.add({"--size", temporary_bytes, "--perms", "1777", "--tmpfs", "/tmp"});
  const std::vector<fs::path> system = system_paths();
  show_system(arguments, system);
  arguments.add({"--proc", "/proc", "--dev", "/dev"});
  arguments.add({"--size", shared_memory_bytes, "--perms", "1777", "--tmpfs", "/dev/shm"});
  for (const fs::path& path : distinct_paths(rules.readable, system))
    arguments.bind("--ro-bind", path);
  fs::path folder = spec.cwd.value_or("/"), user_home = "/";
  if (!rules.home.empty()) {
    std::error_code error;
    const fs::path home = fs::canonical(rules.home, error);
    if (error)
      return fail(ErrorCode::sandbox_unavailable,
                  "the temporary home " + rules.home.string() + ": " + error.message());
    arguments.bind("--bind", home);
    spec.environment.set("HOME", home.string());
    if (!spec.cwd) folder = home;
    user_home = home;
  }
  const UserFiles user = user_files(::geteuid(), ::getegid(), user_home);
  CURUPIRA_TRY(files->passwd, to_descriptor(user.passwd));
  CURUPIRA_TRY(files->group, to_descriptor(user.group));
  arguments.add({"--perms", "0444", "--ro-bind-data", std::to_string(files->passwd.get()), "/etc/passwd"});
  arguments.add({"--perms", "0444", "--ro-bind-data", std::to_string(files->group.get()), "/etc/group"});
  spec.environment.set("TMPDIR", "/tmp");
  // The namespace's root is the machine's root when root starts it: then /proc/sys would be writable.
  for (const char* mount : {"/proc", "/dev", "/"})
    arguments.add({"--remount-ro", mount});
  arguments.add({"--chdir", folder.string()});
  arguments.add({"--seccomp", std::to_string(files->filter.get())});
  arguments.end_with(spec.argv);

  spec.argv = arguments.take();
  spec.cwd = "/";
  for (const int file : files->all())
    spec.inherited_fds.push_back(file);
  // Holds the descriptors open as long as the specification lives; bwrap reads from where they stand.
  spec.before_exec = [files = std::shared_ptr<const FilesInMemory>(files), limits = ResourceLimits(rules)] {
    for (const int file : files->all())
      if (::lseek(file, 0, SEEK_SET) != 0) return errno;
    return limits.apply();
  };
  return {};
}

}  // namespace curupira::launcher
