#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/http_client.h"
#include "registry/oci_authorization.h"
#include "registry/oci_manifest.h"
#include "registry/oci_referrers.h"
#include "registry/oci_repository.h"

namespace curupira::registry {

/// One repository of an OCI registry (distribution specification 1.1). What comes is checked against the
/// digest that it was asked by; a redirect to a storage server gets no credentials. Errors everywhere:
/// credentials_refused; carrier_unreadable for an answer that contradicts the specification; those of
/// HttpClient.
class OciClient {
 public:
  struct Fetched {
    OciDescriptor descriptor;
    OciManifest manifest;
  };

  /// All have to outlive it; `tools.http` is not null. `chunk_bytes`: the most that is sent in one request.
  OciClient(const SourceTools& tools, Diagnostics& diagnostics, OciRepository repository,
            std::uint64_t chunk_bytes);

  const OciRepository& repository() const { return repository_; }

  /// By tag or "sha256:<hex>"; nothing when there is none, or one of another kind than a manifest of layers.
  Result<std::optional<Fetched>> manifest(const std::string& reference);
  Result<bool> has_manifest(const std::string& reference);
  Result<OciDescriptor> put_manifest(const std::string& tag, const OciManifest& manifest);

  /// Writes the blob into the sink; false when there is none. Errors: response_too_large, those of the sink.
  /// The digest is left to the caller.
  Result<bool> blob(const Digest& digest, std::uint64_t max_bytes, ByteSink& sink);
  Result<bool> has_blob(const Digest& digest);
  /// Does nothing when the registry has it. The registry refuses what is not the digest: http_status.
  Result<> put_blob(const Digest& digest, const HttpContent& content);

  /// The manifests whose subject is `subject`; nothing when the registry does not keep account of that. At
  /// most `max_oci_index_pages` pages of them; what is beyond is left out.
  Result<std::optional<std::vector<OciReferrer>>> referrers(const Digest& subject);

 private:
  Result<HttpResponse> ask(HttpRequest request, ByteSink& body);
  Result<HttpResponse> ask(HttpRequest request);
  Result<Url> url(const std::string& path) const;
  Result<bool> has(const std::string& path, std::string_view accept);
  Result<Url> begin_upload();
  /// Where an upload goes on: the Location of the answer, on the registry itself.
  Result<Url> upload_url(const HttpResponse& answer) const;
  Result<> upload(const Digest& digest, const HttpContent& content);
  tl::unexpected<Error> unreadable(const std::string& what) const;

  HttpClient& http_;
  OciRepository repository_;
  OciAuthorization authorization_;
  std::uint64_t chunk_bytes_;
};

}  // namespace curupira::registry
