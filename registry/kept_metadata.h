#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "tuf/fetcher.h"

namespace curupira::registry {

/// The metadata that earlier updates kept, as if it were the registry's: nothing is newer than it, and all
/// checks are made as ever. For a registry that cannot be asked.
class KeptMetadata final : public tuf::MetadataFetcher {
 public:
  /// The file system has to outlive it. `registry`: its name, for messages.
  KeptMetadata(const ReadOnlyFileSystem& files, std::filesystem::path folder, std::string registry)
      : files_(files), folder_(std::move(folder)), registry_(std::move(registry)) {}

  /// No root is newer than the one that is kept. Error: offline_missing for what was never read.
  Result<std::optional<std::string>> fetch(const std::string& name, std::uint64_t max_bytes) override;

 private:
  const ReadOnlyFileSystem& files_;
  std::filesystem::path folder_;
  std::string registry_;
};

}  // namespace curupira::registry
