#include "launcher/seccomp_filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <system_error>

namespace curupira::launcher {

namespace {

static_assert(sizeof(sock_filter) == sizeof(BpfProgram::value_type));

/// Refused with EPERM whatever the arguments. A name that this kernel's architecture or libseccomp does not
/// know is passed over; the numbers below stand for calls that are newer than Debian 12's libseccomp.
constexpr const char* always_forbidden[] = {
    // other ways to a network or to other programs' sockets
    "socket", "connect", "bind", "listen", "accept", "accept4",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
    "pidfd_getfd", "migrate_pages", "move_pages",
    // mounts, namespaces, and files by handle
    "mount", "umount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount",
    "fspick", "mount_setattr", "setns", "unshare", "chroot", "name_to_handle_at", "open_by_handle_at",
    "fanotify_init",
    // the kernel itself
    "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "kexec_load",
    "kexec_file_load", "init_module", "finit_module", "delete_module", "iopl", "ioperm", "modify_ldt",
    "swapon", "swapoff", "reboot", "acct", "quotactl", "quotactl_fd", "syslog", "settimeofday",
    "clock_settime", "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex", "stime",
    "sethostname", "setdomainname", "vhangup", "lookup_dcookie",
    // memory that the limits do not count, or that stays after the process
    "memfd_create", "memfd_secret", "shmget", "shmat", "semget", "msgget", "mq_open"};

constexpr const char* signals[] = {
    "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"};

constexpr const char* file_attributes[] = {
    "chmod",        "fchmod",       "fchmodat", "chown",    "fchown",    "lchown",    "fchownat",
    "chown32",      "fchown32",     "lchown32", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr", "utime",    "utimes",   "futimesat", "utimensat", "utimensat_time64"};

// The same numbers on every architecture since 424.
constexpr int nr_fchmodat2 = 452, nr_setxattrat = 463, nr_removexattrat = 466, nr_open_tree_attr = 467,
              nr_file_setattr = 469;

constexpr std::uint32_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint64_t low_32_bits = 0xffffffffu;

Error failure(std::string what, int error) {
  return Error(ErrorCode::sandbox_unavailable,
               "seccomp: " + std::move(what) + ": " + std::generic_category().message(error));
}

class FilterBuilder {
 public:
  FilterBuilder() : context_(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release) {}
  explicit operator bool() const { return context_ != nullptr; }

  void refuse(int number, std::uint16_t error, std::initializer_list<scmp_arg_cmp> conditions = {}) {
    if (number == __NR_SCMP_ERROR || failed_ != 0) return;
    const int result = seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(error), number,
                                              static_cast<unsigned>(conditions.size()), conditions.begin());
    // A call that this architecture does not have cannot be made either.
    if (result != 0 && number >= 0) failed_ = -result;
  }
  void refuse(const char* name, std::uint16_t error, std::initializer_list<scmp_arg_cmp> conditions = {}) {
    refuse(seccomp_syscall_resolve_name(name), error, conditions);
  }

  Result<BpfProgram> build() {
    if (failed_ != 0) return fail(failure("a rule was not accepted", failed_));
    UniqueFd file(::memfd_create("seccomp", MFD_CLOEXEC));
    if (!file) return fail(failure("memfd_create", errno));
    if (const int result = seccomp_export_bpf(context_.get(), file.get()); result != 0)
      return fail(failure("the filter could not be made", -result));
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return fail(failure("fstat", errno));
    const auto size = static_cast<std::size_t>(status.st_size);
    BpfProgram program(size / sizeof(sock_filter));
    if (program.empty() || ::pread(file.get(), program.data(), size, 0) != status.st_size)
      return fail(failure("the filter could not be read", EIO));
    return program;
  }

 private:
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  int failed_ = 0;
};

scmp_arg_cmp argument(unsigned index, scmp_compare operation, std::uint64_t a, std::uint64_t b = 0) {
  return {.arg = index, .op = operation, .datum_a = a, .datum_b = b};
}

void refuse_by_arguments(FilterBuilder& filter) {
  // Pairs of connected stream sockets reach nobody else; a datagram pair could still send to a named address.
  constexpr std::uint64_t type_bits = 0xf;
  filter.refuse("socketpair", EACCES, {argument(0, SCMP_CMP_NE, AF_UNIX)});
  for (const std::uint64_t type : {SOCK_DGRAM, SOCK_RAW, SOCK_RDM})
    filter.refuse("socketpair", EACCES, {argument(1, SCMP_CMP_MASKED_EQ, type_bits, type)});
  // The arguments of clone3 are in memory, where a filter cannot look: without it libc takes clone.
  filter.refuse("clone3", ENOSYS);
  for (std::uint32_t flag = 1; flag != 0; flag <<= 1)
    if ((new_namespaces & flag) != 0)
      filter.refuse("clone", EPERM, {argument(0, SCMP_CMP_MASKED_EQ, flag, flag)});
  for (const char* name : {"io_uring_setup", "io_uring_enter", "io_uring_register"})
    filter.refuse(name, ENOSYS);
  constexpr std::uint64_t shared_anonymous = MAP_SHARED | MAP_ANONYMOUS;
  for (const char* name : {"mmap", "mmap2"})
    filter.refuse(name, ENOMEM, {argument(3, SCMP_CMP_MASKED_EQ, shared_anonymous, shared_anonymous)});
  // Only one's own limits and priority: same user is enough for the kernel to change another process's.
  filter.refuse("prlimit64", EPERM, {argument(0, SCMP_CMP_NE, 0)});
  for (const char* name : {"sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity"})
    filter.refuse(name, EPERM, {argument(0, SCMP_CMP_NE, 0)});
  for (const char* name : {"setpriority", "ioprio_set"})
    filter.refuse(name, EPERM, {argument(1, SCMP_CMP_NE, 0)});
  // Typing into a terminal.
  constexpr std::uint64_t tioclinux = 0x541C;
  for (const std::uint64_t request : {std::uint64_t{TIOCSTI}, tioclinux})
    filter.refuse("ioctl", EPERM, {argument(1, SCMP_CMP_MASKED_EQ, low_32_bits, request)});
}

}  // namespace

Result<BpfProgram> make_seccomp_filter(const SeccompOptions& options) {
  FilterBuilder filter;
  if (!filter) return fail(failure("no filter could be made", ENOMEM));
  for (const char* name : always_forbidden)
    filter.refuse(name, std::strcmp(name, "socket") == 0 ? EACCES : EPERM);
  filter.refuse(nr_open_tree_attr, EPERM);
  refuse_by_arguments(filter);
  if (options.forbid_signals)
    for (const char* name : signals)
      filter.refuse(name, EPERM);
  if (options.forbid_file_attributes) {
    for (const char* name : file_attributes)
      filter.refuse(name, EPERM);
    for (const int number : {nr_fchmodat2, nr_setxattrat, nr_removexattrat, nr_file_setattr})
      filter.refuse(number, EPERM);
  }
  if (options.forbid_new_sessions)
    for (const char* name : {"setsid", "setpgid"})
      filter.refuse(name, EPERM);
  if (options.forbid_truncate)
    for (const char* name : {"truncate", "truncate64"})
      filter.refuse(name, EPERM);
  return filter.build();
}

Result<UniqueFd> to_descriptor(const BpfProgram& program) {
  UniqueFd file(::memfd_create("seccomp", MFD_CLOEXEC));
  if (!file) return fail(failure("memfd_create", errno));
  const std::size_t size = program.size() * sizeof(BpfProgram::value_type);
  if (::pwrite(file.get(), program.data(), size, 0) != static_cast<ssize_t>(size))
    return fail(failure("the filter could not be written", errno));
  return file;
}

int install(const BpfProgram& program) noexcept {
  // The kernel only reads; sock_fprog has no const.
  void* instructions = const_cast<BpfProgram::value_type*>(program.data());
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()),
                          .filter = static_cast<sock_filter*>(instructions)};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}

}  // namespace curupira::launcher
