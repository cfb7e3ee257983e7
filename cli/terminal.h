#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "base/environment.h"
#include "base/secret.h"

namespace curupira::cli {

/// Where a command reads and writes, and what of it is a terminal. Colour only on a terminal, and not with
/// NO_COLOR.
class Terminal {
 public:
  /// The standard streams of this process.
  static Terminal standard(const Environment& environment);
  Terminal(std::istream& in, std::ostream& out, std::ostream& err) : in_(in), out_(out), err_(err) {}

  std::ostream& out() { return out_; }
  std::ostream& err() { return err_; }
  /// A person can be asked: standard input and standard error are a terminal.
  bool can_ask() const { return can_ask_; }
  bool out_is_terminal() const { return out_is_terminal_; }
  bool progress_visible() const { return err_is_terminal_; }
  /// Asks on stderr; anything but y or yes is no, as is the end of the input.
  bool ask(std::string_view question);

  /// Asks on stderr for what must not be seen: the answer is not shown. Nothing at the end of the input.
  std::optional<Secret> ask_secret(std::string_view question);

  enum class Style { bold, red, yellow, green, dim };
  std::string out_styled(Style style, std::string_view text) const {
    return styled(style, text, colour_out_);
  }
  std::string err_styled(Style style, std::string_view text) const {
    return styled(style, text, colour_err_);
  }

 private:
  static std::string styled(Style style, std::string_view text, bool colour);

  std::istream& in_;
  std::ostream& out_;
  std::ostream& err_;
  bool can_ask_ = false;
  bool out_is_terminal_ = false;
  bool err_is_terminal_ = false;
  bool colour_out_ = false;
  bool colour_err_ = false;
};

}  // namespace curupira::cli
