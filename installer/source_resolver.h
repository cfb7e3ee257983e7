#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "installer/lock_place.h"
#include "installer/prepared_extension.h"
#include "registry/source.h"

namespace curupira::installer {

/// Asks the registries: for what is new.
class SourceResolver final : public Resolver {
 public:
  /// `platforms`: of the lock file; where there is none, only what is asked for counts.
  SourceResolver(const InstallerTools& tools, std::vector<manifest::Platform> platforms,
                 Diagnostics& diagnostics)
      : tools_(tools), platforms_(std::move(platforms)), diagnostics_(diagnostics) {}
  Result<registry::Resolution> resolve(const registry::Reference& reference,
                                       const manifest::Platform& platform) override;
  const registry::PythonLock* python_lock(const std::string& package) const override;

 private:
  Result<registry::Resolution> resolve_python(const registry::PipReference& reference,
                                              const manifest::Platform& platform);

  const InstallerTools& tools_;
  std::vector<manifest::Platform> platforms_;
  std::map<std::string, registry::PythonLock> python_locks_;
  Diagnostics& diagnostics_;
};

/// The Python that wheels are chosen for: this machine's, or what is assumed of another platform. Errors:
/// those of find_python and assumed_python.
Result<registry::PythonTarget> python_for(const registry::SourceTools& tools,
                                          const manifest::Platform& platform,
                                          const registry::PythonLock& lock);

/// The platforms of the lock file but `own`; none where there is no lock file.
std::vector<manifest::Platform> other_platforms(const std::optional<OpenedLock>& lock,
                                                const manifest::Platform& own);

}  // namespace curupira::installer
