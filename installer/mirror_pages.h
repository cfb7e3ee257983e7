#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "installer/mirror_plan.h"
#include "installer/mirror_wheel.h"
#include "registry/mirror_role.h"
#include "registry/python_mirror.h"

namespace curupira::installer {

/// Writes the pages of a mirror: what says to npm and uv which files there are.
class MirrorPages {
 public:
  /// What the wheel says of itself comes into its place beside it, and into `index`. Errors: those of
  /// read_wheel_statement.
  Result<> add_wheel(registry::RepositoryFolder& folder, registry::MirrorIndex& index,
                     const registry::MirrorFile& file, const std::filesystem::path& wheel);
  /// The pages that the plan names, for `plan.index`, which has the additions now.
  Result<std::vector<registry::MirrorPage>> write(registry::RepositoryFolder& folder, MirrorPlan& plan);

 private:
  Result<> write_npm(const registry::RepositoryFolder& folder, const MirrorPlan& plan);
  Result<> write_keys(const registry::RepositoryFolder& folder, const MirrorPlan& plan);
  Result<> write_python(registry::RepositoryFolder& folder, MirrorPlan& plan);
  Result<> write_projects(const MirrorPlan& plan);
  Result<std::vector<registry::MirroredWheel>> wheels_of(registry::RepositoryFolder& folder, MirrorPlan& plan,
                                                         const std::string& package);

  struct Wheel {
    std::string requires_python;
    Digest metadata;
  };
  std::map<std::string, Wheel> wheels_;  // by path
  std::vector<registry::MirrorPage> pages_;
};

}  // namespace curupira::installer
