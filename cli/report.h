#pragma once

#include "base/diagnostics.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/terminal.h"

namespace curupira::cli {

/// Prints an error on stderr in the form of design.md §6.
void print_error(Terminal& terminal, const Error& error);

/// {code, title, detail, while, help}: errors inside --json documents.
json::Value error_to_json(const Error& error);

/// Prints warnings and notes on stderr as they come; notes only from `verbose` on.
class PrintedDiagnostics final : public Diagnostics {
 public:
  PrintedDiagnostics(Terminal& terminal, bool verbose) : terminal_(terminal), verbose_(verbose) {}
  void report(Diagnostic diagnostic) override;

 private:
  Terminal& terminal_;
  bool verbose_;
};

}  // namespace curupira::cli
