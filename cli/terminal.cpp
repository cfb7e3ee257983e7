#include "cli/terminal.h"

#include <termios.h>
#include <unistd.h>

#include <iostream>

namespace curupira::cli {

Terminal Terminal::standard(const Environment& environment) {
  Terminal terminal(std::cin, std::cout, std::cerr);
  terminal.out_is_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  terminal.err_is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  terminal.can_ask_ = terminal.err_is_terminal_ && ::isatty(STDIN_FILENO) == 1;
  const bool colour = environment.get_or("NO_COLOR", "").empty() && environment.get_or("TERM", "") != "dumb";
  terminal.colour_out_ = colour && terminal.out_is_terminal_;
  terminal.colour_err_ = colour && terminal.err_is_terminal_;
  return terminal;
}

bool Terminal::ask(std::string_view question) {
  out_.flush();
  err_ << question << " [y/N] " << std::flush;
  std::string answer;
  if (!std::getline(in_, answer)) {
    err_ << '\n';
    return false;
  }
  return answer == "y" || answer == "Y" || answer == "yes" || answer == "YES" || answer == "Yes";
}

std::optional<Secret> Terminal::ask_secret(std::string_view question) {
  out_.flush();
  // The echo ends before the question appears: who answers it at once is neither shown nor unheard.
  termios shown{};
  const bool known = ::tcgetattr(STDIN_FILENO, &shown) == 0;
  if (known) {
    termios hidden = shown;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  }
  err_ << question << ": " << std::flush;
  std::string answer;
  const bool answered = static_cast<bool>(std::getline(in_, answer));
  if (known) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &shown);
  err_ << '\n' << std::flush;
  return answered ? std::optional(Secret(std::move(answer))) : std::nullopt;
}

std::string Terminal::styled(Style style, std::string_view text, bool colour) {
  if (!colour) return std::string(text);
  const char* code = "1";
  switch (style) {
    case Style::bold:
      code = "1";
      break;
    case Style::red:
      code = "1;31";
      break;
    case Style::yellow:
      code = "1;33";
      break;
    case Style::green:
      code = "1;32";
      break;
    case Style::dim:
      code = "2";
      break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace curupira::cli
