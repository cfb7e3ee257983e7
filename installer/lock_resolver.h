#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "installer/prepared_extension.h"
#include "installer/store.h"
#include "registry/sources.h"

namespace curupira::installer {

/// Says what the lock file says: no resolver, no npm, no uv. What the store has costs no request and needs no
/// registry.
class LockResolver final : public Resolver {
 public:
  /// `ask_registry`: npm tarballs are where the registry says, not where registries usually have them.
  LockResolver(const registry::SourceTools& tools, const Store& store, const LockedExtension& entry,
               bool ask_registry, Diagnostics& diagnostics)
      : tools_(tools), store_(store), entry_(entry), ask_registry_(ask_registry), diagnostics_(diagnostics) {}

  /// Errors: lock_mismatch for a package that the entry does not have, platform_missing, those of
  /// registry::LockedNpm and registry::resolve_locked.
  Result<registry::Resolution> resolve(const registry::Reference& reference,
                                       const manifest::Platform& platform) override;
  const registry::PythonLock* python_lock(const std::string&) const override {
    return python_ ? &*python_ : nullptr;
  }

 private:
  Result<registry::Resolution> resolve_npm(const registry::NpmReference& npm,
                                           const manifest::Platform& platform);
  Result<registry::Resolution> resolve_pip(const registry::PipReference& pip,
                                           const manifest::Platform& platform);
  Result<registry::Resolution> resolve_archive(const registry::ArchiveReference& archive);
  Result<> find_tarballs(registry::Resolution& resolution);

  const registry::SourceTools& tools_;
  const Store& store_;
  const LockedExtension& entry_;
  bool ask_registry_;
  Diagnostics& diagnostics_;
  std::optional<registry::PythonLock> python_;
};

}  // namespace curupira::installer
