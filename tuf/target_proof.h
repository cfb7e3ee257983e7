#pragma once

#include <chrono>
#include <map>
#include <string>

#include "tuf/limits.h"
#include "tuf/target_info.h"

namespace curupira::tuf {

/// Everything from which it follows what a repository said of one target, to be checked again without it.
struct TargetProof {
  std::chrono::sys_seconds time = {};  ///< of the update in which all of it held
  /// Role → its metadata file as the repository wrote it: root, timestamp, snapshot, targets, and every
  /// delegated role that the search for the target came by.
  std::map<std::string, std::string, std::less<>> metadata = {};
};

/// Verifies the files as an update at the proof's time does, and searches them. Whether the root is a trusted
/// one is the caller's to know. Errors: those of TrustedSet and of search_delegations; tuf_metadata_missing
/// for a role that the proof lacks.
Result<TargetInfo> verify_proof(const TargetProof& proof, const TargetName& name, const Limits& limits = {});

}  // namespace curupira::tuf
