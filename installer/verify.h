#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "installer/folder_check.h"
#include "installer/install_observer.h"
#include "installer/store.h"

namespace curupira::installer {

/// One thing that is not what it should be.
struct Finding {
  enum class Object { blob, proof, tree, environment, manifest, receipt, lock, generation };
  Object object = Object::tree;
  std::string name;  ///< "sha512/<hex>" (a proof: of its blob), a hexadecimal digest, the extension's name or
                     ///< a generation's number
  std::filesystem::path path;           ///< of the object
  Difference difference;                ///< its path is below `path`; empty: the object itself
  std::vector<std::string> extensions;  ///< that use it, sorted
};

std::string_view name_of(Finding::Object object);  ///< "tree"

struct Verification {
  std::size_t extensions = 0, blobs = 0, trees = 0, environments = 0;  ///< how many were looked at
  std::uint64_t files = 0;                                             ///< likewise
  std::vector<Finding> findings;
  std::vector<std::string> notes;  ///< what could not be compared, and why
};

/// Looks at all that the extensions of these names are made of (of all, when there is none): manifest and
/// receipt as they were committed, blobs by their digests, trees and environments file by file. Reads only;
/// opens no socket, starts nothing. Waits for commands that change the home. With `lock_file`, receipts are
/// compared with it as well. Error: not_installed.
Result<Verification> verify_extensions(const HomeLayout& home, FileSystem& files,
                                       const std::vector<std::string>& names, InstallObserver& observer,
                                       const std::optional<std::filesystem::path>& lock_file = std::nullopt);

/// For callers that hold the home's lock.
Result<Verification> verify_extensions_locked(
    const HomeLayout& home, FileSystem& files, const std::vector<std::string>& names,
    const std::optional<std::filesystem::path>& lock_file = std::nullopt);

/// The same for every object of the store and every generation, whoever uses them.
Result<Verification> verify_store(const HomeLayout& home, FileSystem& files, InstallObserver& observer);

}  // namespace curupira::installer
