#include "tuf/target_proof.h"

#include "base/printable.h"
#include "tuf/delegation_search.h"
#include "tuf/trusted_set.h"

namespace curupira::tuf {

Result<TargetInfo> verify_proof(const TargetProof& proof, const TargetName& name, const Limits& limits) {
  const auto file_of = [&](std::string_view role) -> Result<std::string_view> {
    const auto found = proof.metadata.find(role);
    if (found != proof.metadata.end()) return found->second;
    return fail(ErrorCode::tuf_metadata_missing, "the proof has no metadata of " + printable(role));
  };
  CURUPIRA_TRY(const std::string_view root, file_of(root_role));
  CURUPIRA_TRY(TrustedSet trusted, TrustedSet::begin(root, proof.time, limits));
  CURUPIRA_CHECK(trusted.check_root());
  CURUPIRA_TRY(const std::string_view timestamp, file_of(timestamp_role));
  CURUPIRA_CHECK(trusted.update_timestamp(timestamp));
  CURUPIRA_TRY(const std::string_view snapshot, file_of(snapshot_role));
  CURUPIRA_CHECK(trusted.update_snapshot(snapshot));
  const auto targets_of = [&](const std::string& role, const std::string&, const RoleKeys& role_keys,
                              const KeyTable& keys) -> Result<std::shared_ptr<const Targets>> {
    CURUPIRA_TRY(const std::string_view file, file_of(role));
    CURUPIRA_TRY(Targets targets, trusted.verify_targets(file, role, role_keys, keys));
    return std::make_shared<const Targets>(std::move(targets));
  };
  return search_delegations(trusted.root(), name, limits, targets_of);
}

}  // namespace curupira::tuf
