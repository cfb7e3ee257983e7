#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/http_client.h"
#include "registry/carrier.h"
#include "registry/sources.h"

namespace curupira::registry {

/// A registry's folder behind a web server: `metadata/` and `targets/` below a URL. Read only. The login is
/// the URL's; else the netrc file's; else, when the URL names a user, what the program `keyring` has for it.
class HttpCarrier final : public Carrier {
 public:
  /// `tools` has to outlive it. Errors: carrier_address for a URL that has a query or fragment, and for http
  /// beyond loopback; offline_missing without an HTTP client.
  static Result<std::unique_ptr<HttpCarrier>> open(const SourceTools& tools, Url base);

  std::string name() const override;
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;

 private:
  /// What the URL does not say itself.
  class Login final : public CredentialSource {
   public:
    Login(const SourceTools& tools, Url base) : tools_(tools), base_(std::move(base)) {}
    std::optional<Secret> authorization_for(const Url& url) const override;

   private:
    const SourceTools& tools_;
    Url base_;
    mutable std::optional<std::optional<Secret>> found_ = {};  ///< once it was looked for
  };

  HttpCarrier(const SourceTools& tools, Url base)
      : http_(*tools.http), base_(std::move(base)), login_(tools, base_) {}

  HttpClient& http_;
  Url base_;  ///< its path ends with '/'
  Login login_;
};

}  // namespace curupira::registry
