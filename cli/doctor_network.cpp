#include "cli/doctor_network.h"

#include "base/json.h"
#include "base/printable.h"
#include "base/proxy_rules.h"
#include "cli/doctor_authorities.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using Kind = ExaminedServer::Kind;

/// More of an answer is not looked at; that it is longer says that the server answers.
constexpr std::uint64_t max_answer = 64u << 10;

Finding finding(const ExaminedServer& server, Level level, std::string what, std::string remedy = {}) {
  return {.area = "network",
          .level = level,
          .subject = server.url.to_string(),
          .what = std::move(what),
          .remedy = std::move(remedy)};
}

/// What the user's configuration says of the way to the server, else the environment.
struct Way {
  Result<ProxyExplanation> proxy;
  TrustedAuthorities authorities;
  bool check_certificate;
};

Way way_to(const ExaminedServer& server, const Environment& environment) {
  const TransportOptions options =
      server.credentials ? server.credentials->transport_for(server.url) : TransportOptions{};
  const ProxyRules of_environment(environment);
  const ProxyRules& rules = options.proxies ? *options.proxies : of_environment;
  return {.proxy = rules.explain(server.url),
          .authorities = options.authorities.value_or(TrustedAuthorities::from(environment)),
          .check_certificate = options.check_certificate};
}

Finding proxy_finding(const ExaminedServer& server, const Way& way) {
  if (!way.proxy)
    return finding(server, Level::problem, words_of(way.proxy.error()), way.proxy.error().help());
  if (way.proxy->proxy) {
    const bool login = !way.proxy->proxy->user_info.empty();
    return finding(server, Level::ok,
                   "through the proxy " + printable(way.proxy->proxy->address) + " (" +
                       printable(way.proxy->variable) + ")" + (login ? ", with a user name" : ""));
  }
  std::string why = "no variable names a proxy for " + server.url.scheme();
  if (!way.proxy->exception.empty())
    why = "no_proxy has \"" + printable(way.proxy->exception) + "\"" +
          (way.proxy->variable.empty() ? "" : ", else " + printable(way.proxy->variable) + " would count");
  return finding(server, Level::ok, "direct: " + why);
}

std::string remedy_of(const Error& error, const ExaminedServer& server, const Way& way) {
  const bool proxied = way.proxy && way.proxy->proxy.has_value();
  switch (error.code()) {
    case ErrorCode::network_unreachable:
    case ErrorCode::transfer_stalled:
    case ErrorCode::transfer_truncated:
      if (proxied)
        return "check that " + printable(way.proxy->variable) +
               " names the right proxy and that it may reach " + server.url.host() + "; or add " +
               server.url.host() + " to no_proxy";
      return "check the address and the network; where only a proxy leads out, name it in " +
             server.url.scheme() + "_proxy";
    case ErrorCode::tls_failed: {
      const std::string authority =
          "the authority that signed this server's certificate (a company's own, often that of a proxy)";
      if (way.authorities.exclusive)
        return "add " + authority + " to the PEM file of " + printable(way.authorities.origin) +
               ", which counts alone";
      return "name a PEM file with " + authority + " in SSL_CERT_FILE";
    }
    default:
      return error.help();
  }
}

/// "//host:port/path/": how .npmrc names a registry.
std::string npmrc_place(const Url& url) {
  const std::string text = url.to_string();
  return text.substr(text.find("//"));
}

Finding refused(const ExaminedServer& server) {
  const bool npm = server.kind == Kind::npm_registry;
  const std::string login = "`npm login --registry " + server.url.to_string() + "`";
  if (server.credential)
    return finding(server, Level::problem, "reachable, and refuses the login of " + *server.credential,
                   npm ? "renew it: " + login : "renew the user name and password there");
  if (npm)
    return finding(server, Level::note, "reachable; not logged in: no credentials are configured for it",
                   "for private packages " + login + ", or the line " + npmrc_place(server.url) +
                       ":_authToken=… in ~/.npmrc");
  const std::string what = server.kind == Kind::registry ? "registry" : "index";
  return finding(server, Level::problem, "reachable, and wants a login; none is configured for it",
                 "a user name and a password belong into the address of the " + what + ", or into ~/.netrc");
}

Finding answered(const ExaminedServer& server, const std::string& body) {
  if (server.kind != Kind::npm_registry) return finding(server, Level::ok, "reachable");
  const auto answer = json::parse(body);
  const std::string* name = answer ? answer->find_string("username") : nullptr;
  if (name != nullptr)
    return finding(server, Level::ok,
                   "reachable; logged in as " + excerpt(*name, 80) +
                       (server.credential ? " by " + *server.credential : ""));
  // Some take a login that they do not know for nobody's.
  if (server.credential && answer && answer->as_object() != nullptr)
    return finding(server, Level::problem, "reachable, and does not know the login of " + *server.credential,
                   "renew it: `npm login --registry " + server.url.to_string() + "`");
  return finding(server, Level::ok, "reachable; it does not say who is logged in");
}

Finding not_found(const ExaminedServer& server) {
  switch (server.kind) {
    case Kind::npm_registry:
      return finding(server, Level::ok, "reachable; it does not say who is logged in");
    case Kind::python_index:
      return finding(server, Level::note, "reachable; it has no list of all packages");
    case Kind::registry:
      return finding(server, Level::problem, "reachable, and no registry: it has no metadata/timestamp.json",
                     "`registry add` takes the address of the folder that metadata/ is in");
    case Kind::other:
      break;
  }
  return finding(server, Level::warning, "reachable, and does not have this address (404)",
                 "check the address");
}

Finding outcome_of(const ExaminedServer& server, const Way& way, const HttpTransfer& transfer,
                   const std::string& body) {
  if (transfer.outcome) return answered(server, body);
  const Error& error = transfer.outcome.error();
  switch (error.code()) {
    case ErrorCode::response_too_large:
      return finding(server, Level::ok, "reachable");
    case ErrorCode::credentials_refused:
      return refused(server);
    case ErrorCode::http_not_found:
      return not_found(server);
    default:
      return finding(server, server.standard ? Level::warning : Level::problem, words_of(error),
                     remedy_of(error, server, way));
  }
}

/// What the one request asks for.
Url asked_of(const ExaminedServer& server) {
  if (server.kind != Kind::npm_registry && server.kind != Kind::registry) return server.url;
  const auto asked =
      server.url.resolve(server.kind == Kind::registry ? "./metadata/timestamp.json" : "./-/whoami");
  return asked ? *asked : server.url;
}

}  // namespace

Findings examine_servers(const std::vector<ExaminedServer>& servers, HttpClient& http,
                         const ReadOnlyFileSystem& files, const Environment& environment,
                         std::chrono::system_clock::time_point now) {
  std::vector<StringSink> bodies(servers.size(), StringSink(max_answer));
  std::vector<HttpTransfer> transfers;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    HttpTransfer transfer{.request = {.url = asked_of(servers[i]),
                                      .credentials = servers[i].credentials.get(),
                                      .max_bytes = max_answer},
                          .body = &bodies[i]};
    transfers.push_back(std::move(transfer));
  }
  http.perform(transfers);

  Findings findings;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const ExaminedServer& server = servers[i];
    const Way way = way_to(server, environment);
    findings.push_back(finding(server, Level::ok, "named by " + server.named_by));
    findings.push_back(proxy_finding(server, way));
    if (server.url.scheme() == "https" && way.check_certificate)
      findings.push_back(examine_authorities(way.authorities, files, now, server.url.to_string()));
    if (!way.check_certificate)
      findings.push_back(
          finding(server, Level::warning, "its certificate is not checked: anybody may pose as it",
                  "strict-ssl=false stands in .npmrc; name the authority with cafile= instead"));
    findings.push_back(outcome_of(server, way, transfers[i], bodies[i].text()));
  }
  return findings;
}

HttpOptions impatient_options() {
  HttpOptions options;
  options.max_attempts = 1;
  options.connect_timeout = std::chrono::seconds(5);
  options.stall_timeout = std::chrono::seconds(5);
  return options;
}

}  // namespace curupira::cli
