#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/tree_listing.h"

namespace curupira::installer {

/// The store as it is looked into (design.md §3). What is in it is named by its digest, complete, and never
/// changed:
///
///   blobs/<algo>/<hex>            artifacts as they were fetched
///
///   proofs/<algo>-<hex>.json      what proved a blob, where more than its digest did
///
///   trees/<sha256>/               unpacked packages
///
///   trees/<sha256>.listing        what is in the tree; also the mark that it is complete
///
///   environments/<sha256>/        what extensions start in
///
///   environments/<sha256>.complete, .listing    that it is complete, and what was in it when it was made
///
///   unpacked/<key>                which tree an archive becomes, so that nothing is unpacked twice
///
/// A tree or environment without its mark was left by a command that was killed: it counts as absent.
class Store {
 public:
  Store(const HomeLayout& home, FileSystem& files) : home_(home), files_(files) {}

  std::filesystem::path blob(const Digest& digest) const;
  std::filesystem::path tree(std::string_view digest) const { return home_.trees() / digest; }
  std::filesystem::path tree_mark(std::string_view digest) const;
  std::filesystem::path environment(std::string_view digest) const { return home_.environments() / digest; }
  std::filesystem::path environment_mark(std::string_view digest) const;
  /// What was in the environment when it was made.
  std::filesystem::path environment_list(std::string_view digest) const;
  std::filesystem::path unpacked_folder() const { return home_.store() / "unpacked"; }

  Result<bool> has_blob(const Digest& digest) const;
  Result<bool> has_tree(std::string_view digest) const;
  Result<bool> has_environment(std::string_view digest) const;
  /// Errors: store_object_damaged when the listing is not the one that the tree is named after.
  Result<TreeListing> listing(std::string_view tree) const;
  /// Errors: file_not_found for one that an earlier version of this program made; store_object_damaged when
  /// it is not the one that was written with the environment.
  Result<TreeListing> environment_listing(std::string_view digest) const;
  /// The tree that the archive becomes, when it is known and there. `key` names the archive and how it is
  /// unpacked.
  Result<std::optional<std::string>> unpacked(const std::string& key) const;

  const HomeLayout& home() const { return home_; }
  FileSystem& files() const { return files_; }

 private:
  HomeLayout home_;
  FileSystem& files_;
};

/// What the mark of an environment says: that it is complete, and which listing it has.
std::string environment_mark_text(std::string_view listing);

}  // namespace curupira::installer
