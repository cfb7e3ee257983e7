#pragma once

#include "base/json.h"
#include "cli/terminal.h"
#include "installer/bundle.h"

namespace curupira::cli {

/// What is in a bundle, for people.
void print_bundle(Terminal& terminal, const installer::Bundle& bundle);

/// The same for programs (docs/json.md, "bundle").
json::Value bundle_to_json(const installer::Bundle& bundle);

/// "2 extensions, 14 files, 2.1 MB": what it carries.
std::string bundle_summary(const installer::Bundle& bundle);

/// "linux-x86_64, darwin-arm64".
std::string bundle_platforms(const installer::Bundle& bundle);

}  // namespace curupira::cli
