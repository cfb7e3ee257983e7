#include "cli/interruption.h"

#include <signal.h>
#include <unistd.h>

#include <string_view>

namespace curupira::cli {
namespace {

constexpr int interrupted_exit_code = 130;

/// Only async-signal-safe calls: the program may be anywhere. The text is that of error CUR-1007.
void report_and_end(int /*signal*/) {
  constexpr std::string_view text =
      "\nerror[CUR-1007]: interrupted\n  help: everything is as before or as after, nothing is half; run the "
      "command again\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(interrupted_exit_code);
}

}  // namespace

void end_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = report_and_end;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace curupira::cli
