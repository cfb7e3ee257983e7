#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/json.h"
#include "base/result.h"
#include "manifest/receipt.h"
#include "registry/package_name.h"
#include "tuf/target_proof.h"

namespace curupira::registry {

/// From what it follows that a curupira registry names a file of a release, to be checked again without it:
/// its metadata as it was signed, and the package's index.
struct RegistryProof {
  std::string registry;  ///< its name in the settings
  PackageName package;
  std::string version;
  tuf::TargetProof metadata;
  std::string index;  ///< the target that the metadata vouches for
};

/// A role that has to have signed, and who did.
struct VouchingRole {
  std::string role;
  std::int64_t version = 0;
  std::chrono::sys_seconds expires = {};
  std::vector<std::string> key_ids = {};  ///< of those that count for the role, the ones that have signed
  std::int64_t threshold = 1;
};

/// What a proof shows.
struct RegistryWord {
  /// publisher_signed when a publisher's own key vouches, registry_signed when the registry's does.
  manifest::VerificationLevel level = manifest::VerificationLevel::registry_signed;
  std::vector<VouchingRole> roles;  ///< root, timestamp, snapshot, targets, … the one that vouches
};

/// What is trusted of a registry now: whose signatures count.
struct TrustedKeys {
  std::string root;  ///< metadata file
  /// Role → metadata file of those that name the keys of others, as they were read last; may lack any.
  std::map<std::string, std::string, std::less<>> delegators = {};
};

/// Holds the proof for exactly this file, with the keys that are trusted now, not those that it came with.
/// Errors: those of tuf::verify_proof, tuf_threshold also for a key that was taken away since;
/// release_differs when neither the release nor its manifest names the file.
Result<RegistryWord> check_registry_proof(const RegistryProof& proof, const TrustedKeys& trusted,
                                          const Digest& file);

/// Of the folder of trust. Error: tuf_trust_missing.
Result<TrustedKeys> read_trusted_keys(const FileSystem& files, const HomeLayout& home,
                                      const std::string& registry);

/// Members "registry", "package", "version", "time", "metadata", "index".
json::Object to_json(const RegistryProof& proof);
/// Nothing when a member is missing or of another type.
std::optional<RegistryProof> read_registry_proof(const json::Value& value);

}  // namespace curupira::registry
