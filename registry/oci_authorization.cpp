#include "registry/oci_authorization.h"

#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/loopback.h"
#include "base/netrc.h"
#include "base/printable.h"
#include "registry/limits.h"
#include "registry/npm_credentials.h"

namespace curupira::registry {
namespace {

/// For the token server alone.
class OneServer final : public CredentialSource {
 public:
  OneServer(const Url& server, const std::optional<RegistryLogin>& login) : server_(server) {
    if (login && !login->is_identity_token) header_ = basic_authorization(login->user_info());
  }
  std::optional<Secret> authorization_for(const Url& url) const override {
    return url.same_origin(server_) ? header_ : std::nullopt;
  }

 private:
  const Url& server_;
  std::optional<Secret> header_ = {};
};

std::string parameter(const AuthChallenge& challenge, const std::string& name) {
  const auto found = challenge.parameters.find(name);
  return found != challenge.parameters.end() ? found->second : std::string();
}

std::string form(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    text += (text.empty() ? "" : "&") + name + "=" + percent_encode(value);
  }
  return text;
}

}  // namespace

std::optional<Secret> OciAuthorization::authorization_for(const Url& url) const {
  return url.same_origin(repository_.origin) ? header_ : std::nullopt;
}

const std::optional<RegistryLogin>& OciAuthorization::login() {
  if (login_) return *login_;
  const std::string authority = repository_.authority();
  login_ = DockerConfig::load(tools_.environment, tools_.files, diagnostics_)
               .login_for(tools_, authority, repository_.path, diagnostics_);
  if (*login_) return *login_;
  const auto stored =
      Netrc::load(tools_.environment, tools_.files, diagnostics_).user_info_for(repository_.origin, "", true);
  if (stored) {
    const std::string& text = stored->reveal();
    const std::size_t colon = text.find(':');
    *login_ = RegistryLogin{
        .user = text.substr(0, colon), .secret = Secret(text.substr(colon + 1)), .origin = "the netrc file"};
  }
  return *login_;
}

std::string OciAuthorization::login_in_words() const {
  if (!login_ || !*login_) return "no login for it is configured";
  const RegistryLogin& login = **login_;
  return (login.is_identity_token ? "it was asked with the token"
                                  : "it was asked with the login of \"" + printable(login.user) + "\"") +
         " from " + login.origin;
}

Error OciAuthorization::refused(const Error& cause) const {
  return Error(ErrorCode::credentials_refused, repository_.to_string() + ": " + login_in_words())
      .with_help("`docker login` or `oras login` for " + repository_.authority() +
                 " keeps a login where it is found; it has to be allowed to do this")
      .caused_by(cause);
}

Result<> OciAuthorization::answer(const HttpResponse& refused_answer, const std::string& actions) {
  const std::vector<AuthChallenge> challenges = parse_challenges(refused_answer);
  const auto of = [&](std::string_view scheme) {
    return std::ranges::find(challenges, scheme, &AuthChallenge::scheme);
  };
  if (const auto bearer = of("bearer"); bearer != challenges.end()) return answer_bearer(*bearer, actions);
  if (of("basic") != challenges.end()) return answer_basic();
  const std::string wanted =
      challenges.empty() ? "nothing that can be read" : excerpt(challenges[0].scheme, 40);
  return fail(ErrorCode::credentials_refused, repository_.to_string() + " wants a login, and asks for " +
                                                  wanted + "; known are Basic and Bearer");
}

Result<> OciAuthorization::answer_basic() {
  const auto& found = login();
  const std::string status = "the registry answered with status 401";
  if (!found || found->is_identity_token) return fail(refused(Error(ErrorCode::http_status, status)));
  const Secret header = basic_authorization(found->user_info());
  if (header_ == header) return fail(refused(Error(ErrorCode::http_status, status)));
  header_ = header;
  return {};
}

Result<HttpRequest> OciAuthorization::token_request(const AuthChallenge& challenge,
                                                    const std::string& actions) {
  const auto unusable = [&](const std::string& why) {
    return fail(ErrorCode::carrier_unreadable,
                repository_.to_string() + " names a token server that cannot be used: " + why);
  };
  const std::string realm = parameter(challenge, "realm");
  const auto server = Url::parse(realm);
  if (!server) return unusable("\"" + excerpt(realm) + "\"");
  const bool local = is_loopback_host(server->host()) && is_loopback_host(repository_.origin.host());
  if (server->scheme() != "https" && !(server->scheme() == "http" && local))
    return unusable(printable(server->to_string()) + " is not encrypted");
  std::string scope = parameter(challenge, "scope");
  if (scope.empty()) scope = "repository:" + repository_.path + ":" + actions;
  const std::string service = parameter(challenge, "service");
  const auto& found = login();
  if (found && found->is_identity_token) {
    return HttpRequest{.url = server->without_fragment(),
                       .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                       .method = HttpMethod::post,
                       .content = {.bytes = form({{"grant_type", "refresh_token"},
                                                  {"client_id", "curupira"},
                                                  {"service", service},
                                                  {"scope", scope},
                                                  {"refresh_token", found->secret.reveal()}})}};
  }
  const std::string query = form({{"service", service}, {"scope", scope}});
  CURUPIRA_TRY(Url url, server->resolve(server->path() + "?" + server->query() +
                                        (server->query().empty() ? "" : "&") + query));
  return HttpRequest{.url = std::move(url)};
}

Result<> OciAuthorization::answer_bearer(const AuthChallenge& challenge, const std::string& actions) {
  header_.reset();
  CURUPIRA_TRY(HttpRequest request, token_request(challenge, actions));
  const Url server = request.url;
  const OneServer credentials(server, login());
  request.credentials = &credentials;
  request.with_netrc = false;
  auto text = tools_.http->get_text(std::move(request), Limits::max_registry_token_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::credentials_refused) return fail(refused(text.error()));
    return fail(std::move(text).error().while_doing("asking for a token for " + repository_.to_string()));
  }
  const auto answer = json::parse(*text, {.max_bytes = Limits::max_registry_token_bytes});
  for (const char* name : {"token", "access_token"}) {
    const std::string* const token = answer ? answer->find_string(name) : nullptr;
    if (token == nullptr || token->empty()) continue;
    header_ = Secret("Bearer " + *token);
    return {};
  }
  return fail(ErrorCode::carrier_unreadable,
              "the token server of " + repository_.to_string() + " gave no token: " + server.origin());
}

}  // namespace curupira::registry
