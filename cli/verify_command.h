#pragma once

#include <string_view>

#include "base/json.h"
#include "cli/terminal.h"
#include "installer/verify.h"

namespace curupira::cli {

/// One difference for people: the file, what was expected and what is there.
void print_finding(Terminal& terminal, const installer::Finding& finding);
json::Object finding_to_json(const installer::Finding& finding);

/// All of them, with how much was looked at.
void print_verification(Terminal& terminal, const installer::Verification& result);
json::Object verification_to_json(const installer::Verification& result, std::string_view schema);

}  // namespace curupira::cli
