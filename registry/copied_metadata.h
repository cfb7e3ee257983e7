#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "registry/carrier.h"
#include "tuf/trusted_set.h"

namespace curupira::registry {

/// Why the first root of the registry that is copied is believed. When it is none of these, the root that the
/// copy has already is; without one nothing is copied.
struct CopyTrust {
  std::optional<Digest> fingerprint = {};  ///< sha256 of its file
  bool own = false;                        ///< it is the keeper's own registry
};

/// The top-level metadata of a registry that is copied, verified as a client does it whose trusted metadata
/// is that of the copy: what would be older than the copy, or of another registry, is refused.
class CopiedMetadata {
 public:
  /// Errors: root_unconfirmed, root_fingerprint; registry_exists when another registry is at `to`; those of
  /// TrustedSet; those of the carriers.
  static Result<CopiedMetadata> read(Carrier& from, Carrier& to, const CopyTrust& trust,
                                     std::chrono::sys_seconds now);

  const tuf::TrustedSet& trusted() const { return trusted_; }
  /// The same, at a time at which nothing has expired.
  const tuf::TrustedSet& timeless() const { return *timeless_; }
  /// There is no copy yet.
  bool is_first() const { return !new_roots_.empty() && new_roots_.size() == all_roots_.size(); }
  /// The copy shows this state already.
  bool is_up_to_date() const { return new_roots_.empty() && !new_timestamp_ && !new_snapshot_; }
  /// The version of each role's metadata that the copy shows; empty when there is no copy yet.
  const std::map<std::string, std::int64_t, std::less<>>& before() const { return before_; }
  /// The version of the role that is to be copied; nothing when the snapshot does not list it.
  std::optional<std::int64_t> version_of(std::string_view role) const;
  /// Every role of the snapshot, in order.
  std::vector<std::string> roles() const;

  /// Roots, snapshot and timestamp, in an order in which clients of the copy come along at every instant as
  /// far as the registry's keys allow it. Error: carrier_taken when somebody else changed the copy meanwhile.
  Result<> write(WritableCarrier& to) const;
  std::uint64_t files() const;  ///< that `write` writes
  std::uint64_t bytes() const;

 private:
  using NamedBytes = std::pair<std::string, std::string>;
  explicit CopiedMetadata(tuf::TrustedSet trusted) : trusted_(std::move(trusted)) {}
  /// Goes along the copy's own roots.
  Result<> follow_copy(Carrier& to);
  Result<> check_same_chain(Carrier& from, Carrier& to);
  Result<> follow_new(Carrier& from);
  Result<> update(Carrier& from, Carrier& to);
  /// What is new holds for clients that know only the roots of the copy.
  bool holds_before_new_roots(const tuf::TrustedSet& before) const;

  tuf::TrustedSet trusted_;
  std::optional<tuf::TrustedSet> timeless_ = {};
  std::vector<NamedBytes> all_roots_ = {};  ///< for a copy that is written whole
  std::vector<NamedBytes> new_roots_ = {};
  std::optional<std::string> timestamp_before_ = {};
  std::string timestamp_ = {};
  bool new_timestamp_ = false;
  std::string snapshot_ = {};
  bool new_snapshot_ = false;
  bool timestamp_first_ = false;
  std::map<std::string, std::int64_t, std::less<>> before_ = {};
};

/// A metadata file that has to be there. Errors: tuf_metadata_missing, those of CarrierFetcher.
Result<std::string> need_copied_file(Carrier& carrier, const std::string& name, std::uint64_t max_bytes);

}  // namespace curupira::registry
