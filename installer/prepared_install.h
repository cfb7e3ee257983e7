#pragma once

#include <optional>
#include <string>
#include <vector>

#include "installer/home_session.h"
#include "installer/installer.h"
#include "installer/lock_place.h"
#include "installer/prepared_extension.h"
#include "installer/store.h"
#include "installer/store_session.h"

namespace curupira::installer {

/// What is ready and not visible. In this order: the store's additions are taken back while the home is still
/// locked.
struct PreparedInstall::State {
  State(const InstallerTools& tools, HomeSession session)
      : files(tools.files), home(std::move(session)), store(tools.home, tools.files), additions(store) {}

  FileSystem& files;
  HomeSession home;
  Store store;
  StoreSession additions;
  std::vector<PreparedExtension> extensions;  ///< staged by the commit, in the order of the plan
  std::vector<std::string> removed;           ///< names of those that go
  InstallPlan plan;
  std::optional<OpenedLock> lock;  ///< as it will be
  std::string command;             ///< "install", "sync", "update"
};

/// Opens the home and the lock file for one command.
Result<std::unique_ptr<PreparedInstall::State>> open_install(const InstallerTools& tools,
                                                             const std::optional<LockPlace>& place,
                                                             std::string command, Diagnostics& diagnostics,
                                                             InstallObserver& observer);

/// Steps 2–9 for one reference: it is in the plan then, and in the lock file when `lock` is given.
/// `entry` is what the lock file says of it, when that is what is installed: all of it has to be so.
struct Addition {
  registry::Reference reference;
  const LockedExtension* entry = nullptr;
};
Result<> add_extension(PreparedInstall::State& state, const Preparation& preparation,
                       const Addition& addition);

}  // namespace curupira::installer
