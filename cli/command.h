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
Result<int> validate_command(const Invocation& invocation, Terminal& terminal);
Result<int> run_command(const Invocation& invocation, const RunArguments& arguments, Terminal& terminal);
Result<int> doctor_command(const Invocation& invocation, const DoctorArguments& arguments,
                           Terminal& terminal);

/// Parses argv, runs the command and prints its error, if any. Returns the exit code.
int run_program(int argc, const char* const* argv, Environment environment, Terminal& terminal);

}  // namespace curupira::cli
