#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "installer/store.h"
#include "installer/verified_artifact.h"

namespace curupira::installer {

/// What one command adds to the store. Until `release` it can be taken back; destroyed before, it is taken
/// back. Everything comes from a staging folder of the same file system by rename; nothing existing is
/// written into (hashicorp/terraform#31964, #32915; npm/cli#8224).
class StoreSession {
 public:
  explicit StoreSession(const Store& store) : store_(store) {}
  StoreSession(const StoreSession&) = delete;
  StoreSession& operator=(const StoreSession&) = delete;
  ~StoreSession() { roll_back(); }

  /// Makes the folders of the store.
  Result<> prepare();
  /// Moves the artifact's file into the store, where it is not there already, and keeps what proved it beside
  /// it (installer/proof_store.h).
  Result<VerifiedArtifact> keep_blob(VerifiedArtifact artifact);
  /// Moves the staged tree into the store; gives its digest. When the store has it, the staged one stays
  /// unused.
  Result<std::string> keep_tree(const std::filesystem::path& staged, const TreeListing& listing);
  Result<> remember_unpacked(const std::string& key, const std::string& tree);
  Result<> keep_environment(const std::filesystem::path& staged, const std::string& digest);

  /// Forces all that was added to the disk: it is referred to from now on.
  Result<> sync();
  void release() { added_.clear(); }
  bool empty() const { return added_.empty(); }
  /// Removes what this session added, newest first. What cannot be removed now the next command finds.
  void roll_back();

 private:
  Result<> keep_proof(const VerifiedArtifact& artifact);
  const Store& store_;
  std::vector<std::filesystem::path> added_;
};

}  // namespace curupira::installer
