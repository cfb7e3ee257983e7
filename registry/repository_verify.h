#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "registry/repository.h"

namespace curupira::registry {

/// Something that a client would refuse or not find.
struct RepositoryProblem {
  std::string where;  ///< "bins-0a", "packages/x.json", "@acme/x 1.2.0"
  Error error;
};

struct RepositoryReport {
  std::vector<RepositoryProblem> problems = {};
  std::uint64_t roles = 0;     ///< whose metadata was verified
  std::uint64_t packages = 0;  ///< whose index was read
  std::uint64_t left_out = 0;  ///< packages that this copy is not meant to have
  std::uint64_t versions = 0;
  std::uint64_t artifacts = 0;  ///< whose digest was compared
  std::uint64_t mirrored = 0;   ///< files of a mirror whose digest was compared
  std::uint64_t bytes = 0;      ///< of both
};

/// Walks all that a client could come to, from the first root on, at the time of the clock; goes on after
/// what is wrong, where there is a way. Nothing is changed. Error: registry_missing.
Result<RepositoryReport> verify_repository(const RepositoryTools& tools, const RepositoryPlace& place);

}  // namespace curupira::registry
