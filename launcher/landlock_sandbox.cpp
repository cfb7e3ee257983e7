#include "launcher/landlock_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <system_error>

#include "base/unique_fd.h"
#include "launcher/resource_limits.h"
#include "launcher/seccomp_filter.h"
#include "launcher/visible_paths.h"

namespace curupira::launcher {

namespace fs = std::filesystem;

namespace {

// The kernel's interface (linux/landlock.h), by value: the header of a build machine may be older than the
// kernel.
constexpr long nr_create_ruleset = 444, nr_add_rule = 445, nr_restrict_self = 446;
constexpr unsigned ask_version = 1;
constexpr int rule_path_beneath = 1;

constexpr std::uint64_t execute = 1u << 0, write_file = 1u << 1, read_file = 1u << 2, read_dir = 1u << 3;
constexpr std::uint64_t make_char = 1u << 6, make_block = 1u << 11;
constexpr std::uint64_t all_of_abi_1 = (1u << 13) - 1;
constexpr std::uint64_t refer = 1u << 13, truncate_file = 1u << 14, ioctl_dev = 1u << 15;
constexpr std::uint64_t net_bind_tcp = 1u << 0, net_connect_tcp = 1u << 1;
constexpr std::uint64_t scope_abstract_unix_socket = 1u << 0, scope_signal = 1u << 1;

constexpr int abi_refer = 2, abi_truncate = 3, abi_net = 4, abi_ioctl = 5, abi_scope = 6;

struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;  // from ABI 4
  std::uint64_t scoped;              // from ABI 6
};

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

Error failure(const std::string& what, int error) {
  return Error(ErrorCode::sandbox_unavailable,
               "landlock: " + what + ": " + std::generic_category().message(error));
}

std::uint64_t handled_files(int abi) {
  std::uint64_t rights = all_of_abi_1;
  if (abi >= abi_refer) rights |= refer;
  if (abi >= abi_truncate) rights |= truncate_file;
  if (abi >= abi_ioctl) rights |= ioctl_dev;
  return rights;
}

Result<UniqueFd> make_ruleset(int abi) {
  RulesetAttributes attributes{.handled_access_fs = handled_files(abi), .handled_access_net = 0, .scoped = 0};
  std::size_t size = sizeof(attributes.handled_access_fs);
  if (abi >= abi_net) {
    attributes.handled_access_net = net_bind_tcp | net_connect_tcp;
    size += sizeof(attributes.handled_access_net);
  }
  if (abi >= abi_scope) {
    attributes.scoped = scope_abstract_unix_socket | scope_signal;
    size += sizeof(attributes.scoped);
  }
  const long fd = ::syscall(nr_create_ruleset, &attributes, size, 0);
  if (fd < 0)
    return fail(failure("the kernel announces ABI " + std::to_string(abi) + " and refuses a ruleset", errno));
  return UniqueFd(static_cast<int>(fd));
}

/// Allows `rights` below `path`, only those that a file can have when it is one. What does not exist stays
/// forbidden.
Result<> allow(const UniqueFd& ruleset, const fs::path& path, std::uint64_t rights) {
  UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place) {
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return {};
    return fail(failure(path.string(), errno));
  }
  struct stat status {};
  if (::fstat(place.get(), &status) != 0) return fail(failure(path.string(), errno));
  if (!S_ISDIR(status.st_mode)) rights &= execute | write_file | read_file | truncate_file | ioctl_dev;
  const PathBeneath rule{.allowed_access = rights, .parent_fd = place.get()};
  if (::syscall(nr_add_rule, ruleset.get(), rule_path_beneath, &rule, 0) != 0)
    return fail(failure("a rule for " + path.string(), errno));
  return {};
}

Result<> allow_all(const UniqueFd& ruleset, const SandboxRules& rules, int abi) {
  constexpr std::uint64_t readable = execute | read_file | read_dir;
  for (const fs::path& path : system_paths())
    CURUPIRA_CHECK(allow(ruleset, path, readable));
  for (const fs::path& path : rules.readable)
    CURUPIRA_CHECK(allow(ruleset, path, readable));
  for (const char* device : {"/dev/zero", "/dev/random", "/dev/urandom"})
    CURUPIRA_CHECK(allow(ruleset, device, read_file));
  CURUPIRA_CHECK(allow(ruleset, "/dev/null", read_file | write_file));
  // Who the program is (sandbox_user.h): everybody on the machine may read these, and no password is in them.
  for (const char* names : {"/etc/passwd", "/etc/group"})
    CURUPIRA_CHECK(allow(ruleset, names, read_file));
  if (!rules.home.empty())
    CURUPIRA_CHECK(allow(ruleset, rules.home, handled_files(abi) & ~(make_char | make_block | ioctl_dev)));
  return {};
}

/// Root without capabilities is a user like others. Fails only when there is something left to lose.
int drop_capabilities() noexcept {
  for (unsigned long capability = 0; capability < 64; ++capability)
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno == EINVAL) break;
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  return ::syscall(SYS_capset, &header, &none) == 0 ? 0 : errno;
}

}  // namespace

int landlock_abi() {
  const long version = ::syscall(nr_create_ruleset, nullptr, 0, ask_version);
  return version > 0 ? static_cast<int>(version) : 0;
}

Result<> LandlockSandbox::confine(ChildSpec& spec, const SandboxRules& rules) {
  if (abi_ < 1)
    return fail(ErrorCode::sandbox_unavailable, "landlock: this kernel has it not, or it is switched off");
  CURUPIRA_TRY(UniqueFd made, make_ruleset(abi_));
  CURUPIRA_CHECK(allow_all(made, rules, abi_));
  CURUPIRA_TRY(BpfProgram program, make_seccomp_filter({.forbid_signals = abi_ < abi_scope,
                                                        .forbid_file_attributes = true,
                                                        .forbid_new_sessions = true,
                                                        .forbid_truncate = abi_ < abi_truncate}));
  if (!rules.home.empty()) {
    spec.environment.set("HOME", rules.home.string());
    spec.environment.set("TMPDIR", rules.home.string());
    if (!spec.cwd) spec.cwd = rules.home;
  }
  const auto ruleset = std::make_shared<const UniqueFd>(std::move(made));
  spec.inherited_fds.push_back(ruleset->get());
  spec.before_exec = [ruleset, limits = ResourceLimits(rules), filter = std::move(program)] {
    if (const int error = limits.apply()) return error;
    if (const int error = drop_capabilities()) return error;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (::syscall(nr_restrict_self, ruleset->get(), 0) != 0) return errno;
    if (::fcntl(ruleset->get(), F_SETFD, FD_CLOEXEC) != 0) return errno;
    return install(filter);
  };
  return {};
}

}  // namespace curupira::launcher
