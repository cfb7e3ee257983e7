#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/http_client.h"
#include "registry/auth_challenge.h"
#include "registry/docker_config.h"
#include "registry/oci_repository.h"
#include "registry/sources.h"

namespace curupira::registry {

/// What an OCI registry wants to see, for one repository: nothing until it asks; then the login itself
/// (Basic), or a token of the server that it names (Bearer). The login is that of Docker's configuration,
/// else that of the netrc file. Neither goes anywhere but to the registry and to its token server.
class OciAuthorization final : public CredentialSource {
 public:
  /// All have to outlive it; `tools.http` is not null.
  OciAuthorization(const SourceTools& tools, Diagnostics& diagnostics, OciRepository repository)
      : tools_(tools), diagnostics_(diagnostics), repository_(std::move(repository)) {}

  std::optional<Secret> authorization_for(const Url& url) const override;

  /// Gets ready for the question again that was answered with 401. `actions`: "pull" or "pull,push", where
  /// the registry does not say itself. Errors: credentials_refused when there is nothing (else) to show;
  /// carrier_unreadable for a challenge or token that cannot be used; those of reaching the token server.
  Result<> answer(const HttpResponse& refused, const std::string& actions);
  /// What to say when the registry refuses all the same.
  Error refused(const Error& cause) const;

 private:
  const std::optional<RegistryLogin>& login();
  std::string login_in_words() const;
  Result<> answer_basic();
  Result<> answer_bearer(const AuthChallenge& challenge, const std::string& actions);
  Result<HttpRequest> token_request(const AuthChallenge& challenge, const std::string& actions);

  const SourceTools& tools_;
  Diagnostics& diagnostics_;
  OciRepository repository_;
  std::optional<std::optional<RegistryLogin>> login_ = {};  ///< once it was looked for
  std::optional<Secret> header_ = {};
};

}  // namespace curupira::registry
