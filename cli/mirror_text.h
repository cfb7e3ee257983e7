#pragma once

#include <string>

#include "base/json.h"
#include "cli/terminal.h"
#include "installer/mirror_plan.h"

namespace curupira::cli {

/// The plan of a mirror for people; nothing of it was fetched yet.
void print_mirror_plan(Terminal& terminal, const installer::MirrorPlan& plan);

/// "3 npm packages and 2 wheels": what was added.
std::string mirror_summary(const installer::MirrorPlan& plan);

/// {files: [{path, kind, package, version, size, integrity, atHand}], present, pages, url}.
json::Object mirror_plan_to_json(const installer::MirrorPlan& plan);

}  // namespace curupira::cli
