#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "installer/prepared_extension.h"
#include "installer/store.h"
#include "registry/locked_npm.h"
#include "registry/sources.h"

namespace curupira::installer {

/// Says what the lock file says: no resolver, no npm, no uv. What the store has costs no request and needs no
/// registry.
class LockResolver final : public Resolver {
 public:
  /// Where folders (`path:`) come from.
  enum class Folders {
    as_named,         ///< they have to be where the entry says
    else_from_store,  ///< the locked tree of the store, when there is nothing at the place
    from_store,       ///< the locked tree of the store
  };
  struct Choices {
    bool ask_registry = false;  ///< npm tarballs are where the registry says, not where they usually are
    Folders folders = Folders::as_named;
    /// Beside the platform that is resolved for: what they need has to be found as well.
    std::vector<manifest::Platform> other_platforms = {};
  };

  LockResolver(const registry::SourceTools& tools, const Store& store, const LockedExtension& entry,
               Choices choices, Diagnostics& diagnostics)
      : tools_(tools),
        store_(store),
        entry_(entry),
        choices_(std::move(choices)),
        diagnostics_(diagnostics) {}

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
  Result<registry::Resolution> resolve_release(const registry::RegistryReference& wanted,
                                               const manifest::Platform& platform);
  Result<registry::Resolution> resolve_path(const registry::PathReference& path);
  Result<> find_tarballs(registry::Resolution& resolution, const std::vector<const LockedArtifact*>& members);
  Result<> check_source(const registry::LockedNpm& npm) const;
  Result<> add_signatures(const std::vector<registry::Artifact*>& unproved) const;

  const registry::SourceTools& tools_;
  const Store& store_;
  const LockedExtension& entry_;
  Choices choices_;
  Diagnostics& diagnostics_;
  std::optional<registry::PythonLock> python_;
};

}  // namespace curupira::installer
