#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "installer/installer.h"
#include "installer/lock_file.h"
#include "installer/mirror_plan.h"
#include "registry/python_lock.h"

namespace curupira::installer {

/// Finds the artifacts that a mirror is to have.
class MirrorWanted {
 public:
  /// `has`: whether the mirror has a file of this path, vouched for by this digest.
  using Has = std::function<bool(const std::string& path, const Digest& digest)>;
  MirrorWanted(const InstallerTools& tools, Has has, Diagnostics& diagnostics, InstallObserver& observer)
      : tools_(tools), has_(std::move(has)), diagnostics_(diagnostics), observer_(observer) {}

  /// All of it, for all platforms; gives the version that it means now. Errors: mirror_reference; those of
  /// resolving.
  Result<std::string> add(const registry::Reference& reference,
                          const std::vector<manifest::Platform>& platforms);
  /// What the entry names. Errors: mirror_reference, lock_mismatch; those of asking registries.
  Result<> add(const LockedExtension& entry, const std::vector<manifest::Platform>& platforms);

  /// What was found so far, each path once.
  std::vector<MirrorAddition> take_additions();
  std::size_t present() const { return present_.size(); }
  /// Packages of what was found, whether the mirror has it or not.
  const std::set<std::string>& npm_packages() const { return npm_packages_; }
  const std::set<std::string>& python_packages() const { return python_packages_; }
  /// Of registries of extensions, by the registry's name.
  const std::map<std::string, std::set<std::string>>& releases() const { return releases_; }

 private:
  Result<std::string> add_npm(const registry::NpmReference& npm,
                              const std::vector<manifest::Platform>& platforms);
  Result<std::string> add_pip(const registry::PipReference& pip,
                              const std::vector<manifest::Platform>& platforms);
  Result<> add_archive(const registry::ArchiveReference& archive,
                       const std::vector<manifest::Platform>& platforms);
  Result<std::string> add_release(const registry::RegistryReference& release,
                                  const std::vector<manifest::Platform>& platforms);
  Result<> add_tarballs(std::vector<registry::Artifact> artifacts);
  Result<> add_wheels(const registry::PythonLock& lock, const std::vector<manifest::Platform>& platforms);
  Result<> add_locked_tarballs(const LockedExtension& entry,
                               const std::vector<const LockedArtifact*>& locked);
  Result<> put(registry::MirrorFile file, registry::Artifact artifact,
               manifest::VerificationLevel least = manifest::VerificationLevel::digest);
  bool is_there(const std::string& path, const Digest& digest);

  const InstallerTools& tools_;
  Has has_;
  Diagnostics& diagnostics_;
  InstallObserver& observer_;
  std::map<std::string, MirrorAddition> additions_;  // by path
  std::set<std::string> present_;                    // paths
  std::set<std::string> npm_packages_, python_packages_;
  std::map<std::string, std::set<std::string>> releases_;
};

}  // namespace curupira::installer
