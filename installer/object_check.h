#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "installer/verify.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// Looks at objects of the store, each once, and collects what is wrong.
class ObjectCheck {
 public:
  ObjectCheck(const Store& store, Verification& result) : store_(store), result_(result) {}

  Result<> blob(const Digest& digest, const std::string& extension);
  /// What was kept of the artifact's proof still proves its level.
  void proof(const manifest::ReceiptArtifact& artifact, const std::string& extension);
  Result<> tree(const std::string& digest, const std::string& extension);
  /// `trees`: what it is made of, where that is known; files of node_modules are theirs.
  Result<> environment(const manifest::ReceiptContent& content, const std::vector<std::string>& trees,
                       const std::string& extension);
  /// All that a receipt names.
  Result<> all_of(const manifest::Receipt& receipt);

  std::uint64_t files() const { return digests_.files(); }

 private:
  /// True for the first time; later the extension is added to what was found.
  bool begin(Finding::Object object, const std::string& name, const std::string& extension);
  void add(Finding::Object object, const std::string& name, const std::filesystem::path& path,
           Difference difference, const std::string& extension);
  Result<> check_origins(const std::string& name, const TreeListing& listing,
                         const std::vector<std::string>& trees, const std::string& extension);

  const Store& store_;
  Verification& result_;
  FileDigests digests_;
  std::set<std::string> seen_;
};

}  // namespace curupira::installer
