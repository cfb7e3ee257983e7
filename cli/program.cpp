#include <unistd.h>

#include <array>
#include <ostream>
#include <system_error>

#include "cli/command.h"
#include "cli/registry_command.h"
#include "cli/report.h"

namespace curupira::cli {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

Result<Invocation> invocation_of(const CommonArguments& common, Environment environment) {
  CURUPIRA_TRY(auto home, HomeLayout::from(environment));
  std::error_code error;
  auto current = std::filesystem::current_path(error);
  if (error) return fail(ErrorCode::file_failed, "the current folder: " + error.message());
  auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return fail(ErrorCode::file_failed, "/proc/self/exe: " + error.message());
  return Invocation{std::move(environment), std::move(home), std::move(current), std::move(program), common};
}

Result<int> run_parsed(const Arguments& arguments, Environment environment, Terminal& terminal) {
  if (const auto* text = std::get_if<ShowText>(&arguments.command)) {
    terminal.out() << text->text << std::flush;
    return 0;
  }
  CURUPIRA_TRY(const auto invocation, invocation_of(arguments.common, std::move(environment)));
  return std::visit(
      Overloaded{
          [&](const InstallArguments& given) { return install_command(invocation, given, terminal); },
          [&](const ListArguments& given) { return list_command(invocation, given, terminal); },
          [&](const InfoArguments& given) { return info_command(invocation, given, terminal); },
          [&](const RemoveArguments& given) { return remove_command(invocation, given, terminal); },
          [&](const RollbackArguments& given) { return rollback_command(invocation, given, terminal); },
          [&](const VerifyArguments& given) { return verify_command(invocation, given, terminal); },
          [&](const CacheVerifyArguments&) { return cache_verify_command(invocation, terminal); },
          [&](const CacheInfoArguments&) { return cache_info_command(invocation, terminal); },
          [&](const CachePruneArguments& given) { return cache_prune_command(invocation, given, terminal); },
          [&](const LockArguments& given) { return lock_command(invocation, given, terminal); },
          [&](const UpdateArguments& given) { return update_command(invocation, given, terminal); },
          [&](const OutdatedArguments& given) { return outdated_command(invocation, given, terminal); },
          [&](const BundleCreateArguments& given) {
            return bundle_create_command(invocation, given, terminal);
          },
          [&](const BundleInspectArguments& given) {
            return bundle_inspect_command(invocation, given, terminal);
          },
          [&](const BundleInstallArguments& given) {
            return bundle_install_command(invocation, given, terminal);
          },
          [&](const SyncArguments& given) { return sync_command(invocation, given, terminal); },
          [&](const ValidateArguments&) { return validate_command(invocation, terminal); },
          [&](const RunArguments& given) { return run_command(invocation, given, terminal); },
          [&](const TuiArguments&) -> Result<int> {
            return fail(Error(ErrorCode::not_built_yet, "`curupira tui` comes with a later version")
                            .with_help("`curupira run --dry-run` shows the tasks that wait"));
          },
          [&](const PolicyTestArguments& given) { return policy_test_command(invocation, given, terminal); },
          [&](const RegistryArguments& given) { return registry_command(invocation, given, terminal); },
          [&](const DoctorArguments& given) { return doctor_command(invocation, given, terminal); },
          [&](const ShowText&) -> Result<int> { return 0; },
      },
      arguments.command);
}

}  // namespace

int run_program(int argc, const char* const* argv, Environment environment, Terminal& terminal) {
  auto arguments = parse_arguments(argc, argv);
  auto code = arguments ? run_parsed(*arguments, std::move(environment), terminal)
                        : Result<int>(fail(std::move(arguments).error()));
  if (!code) {
    print_error(terminal, code.error());
    return error_info(code.error().code()).exit_code;
  }
  terminal.out().flush();
  if (!terminal.out()) {
    print_error(terminal, Error(ErrorCode::file_failed, "standard output could not be written"));
    return error_info(ErrorCode::file_failed).exit_code;
  }
  return *code;
}

}  // namespace curupira::cli
