#pragma once

#include "tuf/metadata.h"

namespace curupira::tuf {

/// The signed part of a metadata file → the model; nothing is dropped. Errors: tuf_wrong_type,
/// tuf_spec_version (the major version has to be 1), tuf_field, tuf_key_id, tuf_key_twice.
Result<Root> read_root(const json::Object& content);
Result<Timestamp> read_timestamp(const json::Object& content);
Result<Snapshot> read_snapshot(const json::Object& content);
Result<Targets> read_targets(const json::Object& content);

}  // namespace curupira::tuf
