#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/file_lock.h"
#include "base/file_system.h"
#include "registry/bundle_carrier.h"
#include "registry/carrier.h"

namespace curupira::registry {

/// Writes a registry into one file, a bundle. What is put is collected in a folder beside it, FILE.part, and
/// `finish` makes the file of it: of what was put, or was found there with `has_target`, and of nothing else,
/// so that the same registry is the same file to the byte. A bundle that is there already is what it goes on
/// from; until `finish` it stays as it is.
class BundleWriter final : public WritableCarrier {
 public:
  /// `files` has to outlive it.
  BundleWriter(FileSystem& files, std::filesystem::path file);
  ~BundleWriter() override;

  std::string name() const override { return before_.name(); }
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;
  Result<bool> has_target(const std::string& path, const Digest* sha256) override;
  Result<> put_target(const std::string& path, const std::filesystem::path& file, const Digest& sha256,
                      std::uint64_t size) override;
  Result<> put_metadata(const std::string& file_name, std::string_view bytes) override;

  bool is_written_whole() const override { return true; }
  /// Error: registry_busy when another command writes the same file.
  Result<> begin(const LockRequest& request) override;
  Result<> finish() override;
  void abandon() override;

 private:
  struct Content {
    std::string name;  ///< of a metadata file; of a target its path
    Digest sha256;
    std::uint64_t size = 0;
  };

  std::filesystem::path part() const;
  std::filesystem::path collected(const Digest& sha256) const;
  /// The bundle that is there; null when there is none.
  Result<const OciLayout*> before();
  /// The size of a blob that is in the folder.
  Result<std::optional<std::uint64_t>> size_collected(const Digest& sha256) const;
  /// The size of a blob of the bundle that is there, when it is what it is named after.
  Result<std::optional<std::uint64_t>> size_before(const Digest& sha256);
  /// Puts a blob into the folder; `fill` writes it.
  Result<> collect(const Digest& sha256, const std::function<Result<>(ByteSink&)>& fill);
  Result<> write_blob(const Digest& sha256, ByteSink& sink);
  Result<std::string> manifest_of_metadata(const Content& content);
  Result<> write();

  FileSystem& files_;
  std::filesystem::path file_;
  BundleCarrier before_;
  std::optional<bool> is_there_ = {};  ///< the bundle; once it was looked at
  std::optional<FileLock> lock_ = {};
  std::map<std::string, Content> metadata_ = {};  ///< by tag
  std::map<std::string, Content> targets_ = {};   ///< by tag
  bool changed_ = false;
};

}  // namespace curupira::registry
