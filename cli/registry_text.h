#pragma once

#include <string>

#include "base/json.h"
#include "cli/terminal.h"
#include "registry/revision.h"

namespace curupira::cli {

/// {"schema": "curupira.registry.<command>.v1"}.
json::Object registry_document(const std::string& command);

/// {visible, snapshot, root, written}.
json::Object revision_to_json(const registry::RevisionOutcome& revision);

/// What there is still to do after a change, a line each; nothing when clients see all of it. `folder` is as
/// the user wrote it.
void print_what_waits(Terminal& terminal, const registry::RevisionOutcome& revision,
                      const std::string& folder);

}  // namespace curupira::cli
