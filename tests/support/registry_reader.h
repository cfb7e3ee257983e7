#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "registry/private_key_file.h"
#include "registry/repository_folder.h"
#include "tuf/fetcher.h"

namespace curupira::test {

class NoPassphrase final : public registry::PassphraseSource {
 public:
  Result<std::optional<Secret>> passphrase(const std::string&, int) override {
    return std::optional<Secret>();
  }
  Result<Secret> new_passphrase() override { return Secret(); }
};

/// Reads a registry's folder as a client would fetch it, and counts.
class FolderFetcher final : public tuf::MetadataFetcher {
 public:
  explicit FolderFetcher(registry::RepositoryFolder folder) : folder_(std::move(folder)) {}
  Result<std::optional<std::string>> fetch(const std::string& name, std::uint64_t max_bytes) override {
    ++requests;
    auto file = folder_.read_metadata(name, max_bytes);
    if (file && *file) bytes += (*file)->size();
    return file;
  }
  int requests = 0;
  std::uint64_t bytes = 0;

 private:
  registry::RepositoryFolder folder_;
};

}  // namespace curupira::test
