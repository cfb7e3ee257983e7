#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error_code.h"

namespace curupira {

/// Why an operation failed: a code for programs, and for people what was being done, what went wrong and what
/// to do. Errors are values (design.md §6); nothing but cli/ prints them.
class Error {
 public:
  /// `detail` says what exactly went wrong, without repeating the title of the code; it may have several
  /// lines.
  explicit Error(ErrorCode code, std::string detail = {}) : code_(code), detail_(std::move(detail)) {}

  ErrorCode code() const { return code_; }
  const std::string& detail() const { return detail_; }
  /// What was being done, innermost first: "fetching x-1.2.3.tgz", "installing npm:@acme/x@1.2.3".
  const std::vector<std::string>& doing() const { return doing_; }
  /// The remedy of this error: its own, or the one of the table.
  std::string help() const;
  const Error* cause() const { return cause_.get(); }

  Error&& while_doing(std::string what) && {
    doing_.push_back(std::move(what));
    return std::move(*this);
  }
  Error&& with_help(std::string help) && {
    help_ = std::move(help);
    return std::move(*this);
  }
  Error&& caused_by(Error cause) && {
    cause_ = std::make_shared<const Error>(std::move(cause));
    return std::move(*this);
  }

  /// "the archive ends early: x.tgz" on one line, for logs and for `cause`.
  std::string summary() const;

 private:
  ErrorCode code_;
  std::string detail_;
  std::vector<std::string> doing_;
  std::optional<std::string> help_;
  std::shared_ptr<const Error> cause_;
};

}  // namespace curupira
