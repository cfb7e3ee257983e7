#pragma once

#include "base/json.h"
#include "cli/terminal.h"
#include "installer/install_plan.h"

namespace curupira::cli {

/// The plan for people: what changes, from where, which files with sizes and digests, which permissions.
void print_plan(Terminal& terminal, const installer::InstallPlan& plan);

/// The plan for programs (docs/json.md, "plan").
json::Value plan_to_json(const installer::InstallPlan& plan);

/// An artifact for programs: package, version, location, digest, size, level.
json::Value artifact_to_json(const manifest::ReceiptArtifact& artifact);

/// "sha512-3Qm…": enough to compare by eye; --json has all of it.
std::string short_digest(const Digest& digest);

}  // namespace curupira::cli
