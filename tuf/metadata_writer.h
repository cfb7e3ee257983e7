#pragma once

#include "tuf/metadata.h"

namespace curupira::tuf {

/// The model → the signed part of a metadata file. What a parser read is written with the same members, so
/// that its signatures still hold.
json::Object content_of(const Root& root);
json::Object content_of(const Timestamp& timestamp);
json::Object content_of(const Snapshot& snapshot);
json::Object content_of(const Targets& targets);

}  // namespace curupira::tuf
