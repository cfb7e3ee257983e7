#include "registry/npm_registry.h"

#include "base/byte_sink.h"
#include "base/printable.h"
#include "registry/limits.h"
#include "registry/npm_default_registry.h"

namespace curupira::registry {

namespace {

constexpr std::string_view packument_types =
    "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

/// "@acme%2Fx": a package is one segment below its registry.
std::string escape_name(const std::string& package) {
  return package.starts_with('@') ? "@" + percent_encode(package.substr(1)) : percent_encode(package);
}

}  // namespace

Result<Url> NpmRegistry::registry_of(std::string_view package) {
  CURUPIRA_TRY(auto configured, configuration_.registry_for(package));
  if (configured) return *std::move(configured);
  if (!default_registry_) {
    CURUPIRA_TRY(default_registry_, npm_default_registry(tools_));
  }
  return *default_registry_;
}

Result<std::vector<Packument>> NpmRegistry::packuments(std::span<const std::string> packages,
                                                       PackumentForm form) {
  if (tools_.http == nullptr)
    return fail(ErrorCode::offline_missing, "what the registry says of " + packages.front());
  std::vector<Url> registries;
  std::vector<StringSink> bodies(packages.size(), StringSink(Limits::max_packument_bytes));
  std::vector<HttpTransfer> transfers;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    CURUPIRA_TRY(Url registry, registry_of(packages[i]));
    CURUPIRA_TRY(Url url, registry.resolve("./" + escape_name(packages[i])));
    HttpTransfer transfer{
        .request = {.url = std::move(url),
                    .headers = {{"Accept", std::string(form == PackumentForm::full ? "application/json"
                                                                                   : packument_types)}},
                    .credentials = configuration_.credentials().get(),
                    .max_bytes = Limits::max_packument_bytes},
        .body = &bodies[i]};
    transfers.push_back(std::move(transfer));
    registries.push_back(std::move(registry));
  }
  tools_.http->perform(transfers);

  std::vector<Packument> packuments;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    auto& outcome = transfers[i].outcome;
    if (!outcome)
      return fail(explain(std::move(outcome).error(), packages[i], registries[i], transfers[i].request.url));
    auto packument = Packument::parse(bodies[i].text(), packages[i]);
    if (!packument) {
      return fail(std::move(packument).error().while_doing("asking " + registries[i].to_string() + " about " +
                                                           packages[i]));
    }
    packuments.push_back(*std::move(packument));
  }
  return packuments;
}

Error NpmRegistry::explain(Error error, const std::string& package, const Url& registry,
                           const Url& url) const {
  if (error.code() == ErrorCode::http_not_found) {
    return Error(ErrorCode::package_not_found, registry.to_string() + " does not have " + package)
        .with_help("check the name; where the package belongs to another registry, name that in ~/.npmrc" +
                   (package.starts_with('@')
                        ? ": " + package.substr(0, package.find('/')) + ":registry=https://…"
                        : ""))
        .caused_by(std::move(error));
  }
  if (error.code() == ErrorCode::credentials_refused) {
    const bool sent = configuration_.credentials()->authorization_for(url).has_value();
    const std::string place = url.origin().substr(url.origin().find("//"));
    return Error(ErrorCode::credentials_refused, registry.to_string() + " refuses access to " + package +
                                                     (sent ? " with the credentials of .npmrc"
                                                           : "; there are no credentials for it in .npmrc"))
        .with_help(sent ? "renew the credentials, `npm login --registry " + registry.to_string() +
                              "` does that"
                        : "`npm login --registry " + registry.to_string() + "`, or write " + place +
                              "/:_authToken=… into ~/.npmrc")
        .caused_by(std::move(error));
  }
  return std::move(error).while_doing("asking " + registry.to_string() + " about " + package);
}

std::string npm_tarball_name(std::string_view package, std::string_view version) {
  return std::string(package.substr(package.rfind('/') + 1)) + "-" + std::string(version) + ".tgz";
}

Result<Url> tarball_url(const PackageRelease& release, const Url& registry) {
  const std::string label = release.name + "@" + release.version;
  if (!release.tarball) {
    return fail(ErrorCode::registry_unreadable,
                registry.to_string() + " gives no address for the tarball of " + label);
  }
  auto url = Url::parse(*release.tarball);
  if (url && url->scheme() == "file") url = fail(ErrorCode::url_invalid, "it is a file");
  if (!url) {
    return fail(
        Error(ErrorCode::registry_unreadable, "the address of the tarball of " + label + " cannot be used")
            .caused_by(std::move(url).error()));
  }
  return url;
}

}  // namespace curupira::registry
