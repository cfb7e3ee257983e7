#pragma once

#include <filesystem>

#include "base/environment.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/terminal.h"

namespace curupira::cli {

/// What this start of the program was given: the process as values.
struct Invocation {
  Environment environment;
  HomeLayout home;
  std::filesystem::path current_folder;
  std::filesystem::path program;  ///< of this program, links resolved
  CommonArguments common;
};

/// The commands: parse has been done; each calls its module, prints, and returns the exit code
/// (spec/settings.md).
Result<int> install_command(const Invocation& invocation, const InstallArguments& arguments,
                            Terminal& terminal);
Result<int> list_command(const Invocation& invocation, const ListArguments& arguments, Terminal& terminal);
Result<int> info_command(const Invocation& invocation, const InfoArguments& arguments, Terminal& terminal);
Result<int> remove_command(const Invocation& invocation, const RemoveArguments& arguments,
                           Terminal& terminal);
Result<int> rollback_command(const Invocation& invocation, const RollbackArguments& arguments,
                             Terminal& terminal);
/// `plugins verify --explain`.
Result<int> explain_command(const Invocation& invocation, const VerifyArguments& arguments,
                            Terminal& terminal);
Result<int> verify_command(const Invocation& invocation, const VerifyArguments& arguments,
                           Terminal& terminal);
Result<int> repair_command(const Invocation& invocation, const VerifyArguments& arguments,
                           Terminal& terminal);
Result<int> cache_verify_command(const Invocation& invocation, Terminal& terminal);
Result<int> cache_info_command(const Invocation& invocation, Terminal& terminal);
Result<int> cache_prune_command(const Invocation& invocation, const CachePruneArguments& arguments,
                                Terminal& terminal);
Result<int> lock_command(const Invocation& invocation, const LockArguments& arguments, Terminal& terminal);
Result<int> update_command(const Invocation& invocation, const UpdateArguments& arguments,
                           Terminal& terminal);
Result<int> outdated_command(const Invocation& invocation, const OutdatedArguments& arguments,
                             Terminal& terminal);
Result<int> sync_command(const Invocation& invocation, const SyncArguments& arguments, Terminal& terminal);
Result<int> bundle_create_command(const Invocation& invocation, const BundleCreateArguments& arguments,
                                  Terminal& terminal);
Result<int> bundle_inspect_command(const Invocation& invocation, const BundleInspectArguments& arguments,
                                   Terminal& terminal);
Result<int> bundle_install_command(const Invocation& invocation, const BundleInstallArguments& arguments,
                                   Terminal& terminal);
Result<int> validate_command(const Invocation& invocation, Terminal& terminal);
Result<int> run_command(const Invocation& invocation, const RunArguments& arguments, Terminal& terminal);
Result<int> doctor_command(const Invocation& invocation, const DoctorArguments& arguments,
                           Terminal& terminal);

Result<int> policy_test_command(const Invocation& invocation, const PolicyTestArguments& arguments,
                                Terminal& terminal);

/// Parses argv, runs the command and prints its error, if any. Returns the exit code.
int run_program(int argc, const char* const* argv, Environment environment, Terminal& terminal);

}  // namespace curupira::cli
