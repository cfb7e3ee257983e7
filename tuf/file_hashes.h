#pragma once

#include <vector>

#include "base/digest.h"
#include "tuf/metadata.h"

namespace curupira::tuf {

/// The digests among `hashes` that this program can compute and that vouch for something: sha256, sha384,
/// sha512; sha256 first. `what` is the file's name for messages. Errors: tuf_hash_unknown when there is none;
/// tuf_field when one is not written as its algorithm's digests are.
Result<std::vector<Digest>> known_digests(const Hashes& hashes, const std::string& what);

}  // namespace curupira::tuf
