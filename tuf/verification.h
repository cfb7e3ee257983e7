#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tuf/document.h"
#include "tuf/metadata.h"

namespace curupira::tuf {

/// Holds when as many different keys of `role` as its threshold says have signed the document. Two ids of one
/// key count once; signatures of other keys, and such that do not hold beside enough that do, change nothing.
/// Errors: tuf_signature_wrong when one of the role's keys has a signature that does not hold, tuf_threshold
/// when there are too few. `what` is the document's name for the message.
Result<> check_signatures(const Document& document, const RoleKeys& role, const KeyTable& keys,
                          const std::string& what);

/// The file is the one that `announced` describes, as far as it does: length, and every digest that this
/// program can compute. Errors: tuf_mix_and_match; tuf_hash_unknown when there are digests and none is known.
Result<> check_announced(std::string_view file, const MetaFile& announced, const std::string& what);

/// Error: tuf_expired.
Result<> check_expiry(const Common& common, std::chrono::sys_seconds time, const std::string& what);

}  // namespace curupira::tuf
