#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "tuf/fetcher.h"
#include "tuf/target_info.h"
#include "tuf/target_proof.h"
#include "tuf/trust_store.h"
#include "tuf/trusted_set.h"

namespace curupira::tuf {

/// Trusts a root that came by another way than the registry's: checks that it is one and is signed by its own
/// keys, and writes it into the folder, in place of an earlier one. The folder has to exist. Errors: those of
/// TrustedSet::begin.
Result<> pin_root(FileSystem& files, const std::filesystem::path& folder, std::string_view root,
                  const Limits& limits = {});

/// One update of a registry's trusted metadata (TUF 1.0.34 §5), and what can be known from it. Holds the
/// folder's lock as long as it lives, but for pauses. What was verified is kept at once; what is refused
/// leaves the folder as it was, and the next update begins where this one ended.
class Client {
 public:
  /// Begins the update: the time of now, or the highest at which one succeeded when the clock has gone back
  /// (with a warning), is the time of all its checks. All references have to outlive the client. Errors:
  /// tuf_trust_missing, tuf_trust_damaged, lock_failed.
  static Result<Client> begin(FileSystem& files, const std::filesystem::path& folder,
                              MetadataFetcher& fetcher, const Clock& clock, Diagnostics& diagnostics,
                              const Limits& limits = {});

  /// Root chain, timestamp, snapshot, top-level targets. Errors: those of TrustedSet; tuf_metadata_missing,
  /// tuf_metadata_too_large, tuf_root_chain; the fetcher's.
  Result<> refresh();

  /// Looks the target up in the targets role and those it delegates to; `refresh` has to have succeeded. Each
  /// role is verified for the delegation through which the search comes. Errors: tuf_target_unknown;
  /// tuf_delegation_limit; those of verifying.
  Result<TargetInfo> find_target(const TargetName& name);

  /// The same, with what it takes to verify the answer again elsewhere.
  Result<TargetProof> prove_target(const TargetName& name);

  /// The metadata of the last role of a path of delegations from the targets role: {"bins", "bins-0a"}; to
  /// list what is in there. `refresh` has to have succeeded. Errors: tuf_metadata_missing when a role
  /// delegates to none of this name; those of verifying.
  Result<std::shared_ptr<const Targets>> delegated_targets(const std::vector<std::string>& path);

  /// The metadata of a role that `find_target` came by, or the targets role; null for others.
  std::shared_ptr<const Targets> read_targets(std::string_view role) const;

  /// Lets others update until this client is asked for something again.
  void pause() { lock_.reset(); }

  const TrustedSet& trusted() const { return trusted_; }

 private:
  /// Targets metadata as it was read in this update, and for whom it was verified.
  struct ReadRole {
    std::string name;
    std::string file;
    std::shared_ptr<const Targets> targets;
    std::set<std::string> delegators;
  };

  Client(TrustStore store, FileLock lock, TrustedSet trusted, std::string root, MetadataFetcher& fetcher,
         const Limits& limits, std::string clock_note);

  Result<> update_root();
  Result<> resume();
  Result<TargetInfo> search(const TargetName& name, const std::function<void(const ReadRole&)>& passed);
  /// Takes one root after the other; `newest` is the file of the last that was accepted.
  Result<> follow_roots(std::optional<std::string>& newest);
  Result<> update_timestamp();
  Result<> update_snapshot();
  /// The role's metadata, verified for the delegation by `delegator`: of this update, kept, or fetched.
  Result<std::shared_ptr<const Targets>> targets_of(const std::string& name, const std::string& delegator,
                                                    const RoleKeys& role, const KeyTable& keys);
  Result<std::string> fetch_announced(std::string_view role, const MetaFile& announced,
                                      std::uint64_t max_bytes);
  std::optional<std::string> kept(std::string_view role, std::uint64_t max_bytes) const;
  /// Says about the clock what there is to say, when it is about expiry.
  Error explained(Error error) const;

  TrustStore store_;
  std::optional<FileLock> lock_;
  TrustedSet trusted_;
  /// The files of root, timestamp and snapshot that are trusted.
  std::map<std::string, std::string, std::less<>> trusted_files_ = {};
  MetadataFetcher& fetcher_;
  Limits limits_;
  std::string clock_note_;
  std::map<std::string, ReadRole, std::less<>> read_ = {};
};

}  // namespace curupira::tuf
