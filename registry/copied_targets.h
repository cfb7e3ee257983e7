#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "registry/package_index.h"
#include "registry/registry_copy.h"
#include "tuf/target_info.h"

namespace curupira::registry {

/// Copies the targets of one role after the other, and the artifacts that they name.
class CopiedTargets {
 public:
  CopiedTargets(const CopyTools& tools, Carrier& from, WritableCarrier& to, const CopyRequest& request,
                CopyReport& report, CopyObserver& observer)
      : tools_(tools), from_(from), to_(to), request_(request), report_(report), observer_(observer) {}

  /// `before`: the role as the copy has it; what stands there unchanged is not looked at. Null: everything
  /// is.
  Result<> copy(const std::string& role, const tuf::Targets& targets, const tuf::Targets* before);
  /// Packages that were come across, when only some are wanted.
  const std::set<std::string>& seen() const { return seen_; }

 private:
  Result<> copy_package(const PackageName& name, const tuf::TargetInfo& info, const tuf::TargetFile* before);
  Result<> copy_other(const tuf::TargetInfo& info);
  Result<> copy_artifact(const IndexArtifact& artifact);
  /// The artifacts that the copy's own index names.
  std::set<Digest> artifacts_before(const PackageName& name, const tuf::TargetFile* before);
  /// The index, out of the copy when it is there.
  Result<std::string> read_index(const tuf::TargetInfo& info, bool there);
  Result<> put_bytes(const std::string& path, const Digest& sha256, const std::string& bytes);

  const CopyTools& tools_;
  Carrier& from_;
  WritableCarrier& to_;
  const CopyRequest& request_;
  CopyReport& report_;
  CopyObserver& observer_;
  std::set<std::string> seen_ = {};
};

}  // namespace curupira::registry
