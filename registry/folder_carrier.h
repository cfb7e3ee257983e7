#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "registry/carrier.h"
#include "registry/repository_folder.h"
#include "registry/repository_lock.h"

namespace curupira::registry {

/// A registry in a folder, as every static web server can serve it: `metadata/` and `targets/`. Files appear
/// whole: temporary beside, forced to the disk, then linked to their name, which cannot replace another one's
/// file.
class FolderCarrier final : public WritableCarrier {
 public:
  /// `files` has to outlive it. The folder has to exist when it is read.
  FolderCarrier(FileSystem& files, std::filesystem::path folder)
      : files_(files), place_(files, std::move(folder)) {}

  std::string name() const override;
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;
  /// Files appear whole, so that one of this name is believed without being read.
  Result<bool> has_target(const std::string& path, const Digest* sha256) override;
  Result<> put_target(const std::string& path, const std::filesystem::path& file, const Digest& sha256,
                      std::uint64_t size) override;
  Result<> put_metadata(const std::string& file_name, std::string_view bytes) override;
  /// Takes the lock of the registry, makes the folder where there is none, and removes what killed commands
  /// left.
  Result<> begin(const LockRequest& request) override;

 private:
  /// A file that is missing is one thing, a stick that is not plugged in another. Error: file_not_found.
  Result<> check_folder() const;
  /// Makes a file appear that `fill` writes; one with this content that is there is as good. Error:
  /// carrier_taken.
  Result<> publish(const std::filesystem::path& to, const Digest& sha256,
                   const std::function<Result<>(WritableFile&)>& fill);
  /// Beside, forced to the disk, and then where `place` puts it.
  Result<> write_part(const std::function<Result<>(WritableFile&)>& fill,
                      const std::function<Result<>(const std::filesystem::path&)>& place);
  Result<> place(const std::filesystem::path& temporary, const std::filesystem::path& to,
                 const Digest& sha256);

  FileSystem& files_;
  RepositoryFolder place_;
  std::optional<RepositoryLock> lock_ = {};
};

}  // namespace curupira::registry
