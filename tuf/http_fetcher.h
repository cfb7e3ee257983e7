#pragma once

#include "base/http_client.h"
#include "tuf/fetcher.h"

namespace curupira::tuf {

/// Metadata below a URL. The client and the credentials (may be null) have to outlive it.
class HttpMetadataFetcher final : public MetadataFetcher {
 public:
  HttpMetadataFetcher(HttpClient& http, Url base, const CredentialSource* credentials = nullptr)
      : http_(http), base_(std::move(base)), credentials_(credentials) {}
  Result<std::optional<std::string>> fetch(const std::string& name, std::uint64_t max_bytes) override;

 private:
  HttpClient& http_;
  Url base_;
  const CredentialSource* credentials_;
};

/// Targets below a URL; likewise.
class HttpTargetFetcher final : public TargetFetcher {
 public:
  HttpTargetFetcher(HttpClient& http, Url base, const CredentialSource* credentials = nullptr)
      : http_(http), base_(std::move(base)), credentials_(credentials) {}
  Result<> fetch(const std::string& path, std::uint64_t max_bytes, ByteSink& into) override;

 private:
  HttpClient& http_;
  Url base_;
  const CredentialSource* credentials_;
};

}  // namespace curupira::tuf
