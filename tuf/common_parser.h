#pragma once

#include "tuf/fields.h"
#include "tuf/metadata.h"

namespace curupira::tuf {

/// "_type", "spec_version", "version" and "expires"; `unknown` is filled in by the caller, from the rest.
Result<Common> read_common(Fields& fields, std::string_view type);

/// "keyids" and "threshold"; `unknown` as above.
Result<RoleKeys> read_role_keys(Fields& fields);

Result<KeyTable> read_keys(Fields& fields);

/// {"sha256": "…", …}, not empty.
Result<Hashes> read_hashes(Fields& fields, std::string_view name);

}  // namespace curupira::tuf
