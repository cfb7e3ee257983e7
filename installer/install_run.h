#pragma once

#include <filesystem>
#include <string_view>

#include "base/file_system.h"
#include "base/result.h"
#include "installer/install_observer.h"
#include "installer/limits.h"
#include "installer/store_session.h"

namespace curupira::installer {

/// Where one command prepares things: its folder in staging/, and what it adds to the store. All of it goes
/// when the command does not commit.
struct InstallRun {
  const Store& store;
  StoreSession& session;
  FileSystem& files;
  std::filesystem::path staging;  ///< of this command
  InstallObserver& observer;
  ArchiveLimits archive_limits = {};
  FetchLimits fetch_limits = {};

  Result<std::filesystem::path> new_folder(std::string_view prefix) const {
    return files.create_temporary_folder(staging, prefix);
  }
};

}  // namespace curupira::installer
