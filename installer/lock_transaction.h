#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "installer/any_age.h"
#include "installer/installer.h"
#include "installer/lock_resolver.h"
#include "installer/prepared_install.h"
#include "registry/reference.h"

namespace curupira::installer {

/// One command that makes a home from a lock file: what is there already is kept, the rest is prepared.
/// Nothing is visible before `finish()` is committed.
class LockTransaction {
 public:
  LockTransaction(const InstallerTools& tools, const InstallOptions& options, Diagnostics& diagnostics,
                  InstallObserver& observer)
      : tools_(tools), any_age_(tools), options_(options), diagnostics_(diagnostics), observer_(observer) {}

  /// Errors: those of HomeSession::open and open_lock.
  Result<> open(const std::string& command);
  PreparedInstall finish() { return PreparedInstall(std::move(state_)); }
  OpenedLock& lock() { return *state_->lock; }
  const Store& store() const { return state_->store; }
  InstallRun run() const;

  /// What the entry says, unless it is there. A folder that is gone is the locked one of the store, when the
  /// extension is installed from it.
  Result<> bring(const LockedExtension& entry,
                 LockResolver::Folders folders = LockResolver::Folders::as_named);
  /// What the entry says for all of `platforms` (which have the tools' one), whether it is there or not: all
  /// of it is fetched and compared with the entry. Of Python packages every wheel that one of the platforms
  /// may choose; gives their digests.
  Result<std::vector<Digest>> bring_for(const LockedExtension& entry,
                                        std::span<const manifest::Platform> platforms);
  /// What is new, from the registries.
  Result<> add(const registry::Reference& reference) { return add(reference, tools_); }
  /// A version that is locked or installed already, from the registries: its age does not count.
  Result<> add_again(const registry::Reference& reference) { return add(reference, any_age_.tools()); }
  void remove_what_the_lock_lacks();

 private:
  Result<> add(const registry::Reference& reference, const InstallerTools& tools);
  Result<std::vector<Digest>> bring_wheels(const LockedExtension& entry,
                                           std::span<const manifest::Platform> platforms);
  bool is_installed_from(const registry::Reference& reference, const std::string& name) const;
  Preparation preparation(const InstallRun& run, Resolver& resolver) const;
  void keep(const LockedExtension& entry);

  const InstallerTools& tools_;
  AnyAge any_age_;
  const InstallOptions& options_;
  Diagnostics& diagnostics_;
  InstallObserver& observer_;
  std::unique_ptr<PreparedInstall::State> state_;
  std::filesystem::path work_;
};

}  // namespace curupira::installer
