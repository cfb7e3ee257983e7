#include <csignal>

#include "base/child_process.h"
#include "cli/command.h"
#include "cli/interruption.h"

extern char** environ;

int main(int argc, char** argv) {
  // A reader of our output that goes away is an error of the write, not the end of the clean-up.
  std::signal(SIGPIPE, SIG_IGN);
  curupira::cli::end_on_interrupt();
  const auto environment = curupira::Environment::from(environ);
  auto terminal = curupira::cli::Terminal::standard(environment);
  return curupira::cli::run_program(argc, argv, environment, terminal);
}
