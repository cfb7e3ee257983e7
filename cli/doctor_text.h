#pragma once

#include "base/json.h"
#include "cli/doctor_findings.h"
#include "cli/terminal.h"

namespace curupira::cli {

/// The findings for people: by area, in columns, coloured on a terminal, and a last line that counts.
void print_findings(Terminal& terminal, const Findings& findings);

/// The findings for programs (docs/json.md, "doctor").
json::Value findings_to_json(const Findings& findings);

/// Nothing that is needed is broken.
bool is_healthy(const Findings& findings);

}  // namespace curupira::cli
