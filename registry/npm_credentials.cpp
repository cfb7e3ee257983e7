#include "registry/npm_credentials.h"

#include <span>

#include "base/digest.h"
#include "base/loopback.h"
#include "base/printable.h"

namespace curupira::registry {

namespace {

std::uint16_t default_port(const Url& url) {
  return url.scheme() == "https" ? 443 : 80;
}

std::string with_slash(std::string path) {
  if (!path.ends_with('/')) path += '/';
  return path;
}

}  // namespace

Secret basic_authorization(const Secret& user_info) {
  return Secret("Basic " + base64_encode(std::as_bytes(std::span(user_info.reveal()))));
}

Result<> NpmCredentials::add(std::string_view place, Secret authorization, Trust trust, std::string origin) {
  CURUPIRA_TRY(const Url url, Url::parse("https:" + with_slash(std::string(place))));
  const std::string_view authority = place.substr(2, place.find('/', 2) - 2);
  const bool explicit_port = authority.find(':', authority.find(']') + 1) != std::string_view::npos;
  entries_.push_back({.host = url.host(),
                      .port = explicit_port ? std::optional(url.port()) : std::nullopt,
                      .path = with_slash(url.path()),
                      .authorization = std::move(authorization),
                      .trust = trust,
                      .described = printable(place) + (origin.empty() ? "" : " in " + origin)});
  return {};
}

void NpmCredentials::add_registry(const Url& registry) {
  transport_.add_registry(registry);
  if (registry.scheme() == "http") plain_origins_.insert(registry.origin());
  if (registry.user_info().empty()) return;
  entries_.push_back({.host = registry.host(),
                      .port = registry.port(),
                      .path = with_slash(registry.path()),
                      .authorization = basic_authorization(registry.user_info()),
                      .trust = Trust::own,
                      .described = "the user name in the address " + registry.to_string()});
}

bool NpmCredentials::may_be_sent(const Entry& entry, const Url& url) const {
  if (entry.host != url.host() || entry.port.value_or(default_port(url)) != url.port()) return false;
  if (!with_slash(url.path()).starts_with(entry.path)) return false;
  return url.scheme() == "https" || entry.trust == Trust::project || is_loopback_host(url.host()) ||
         plain_origins_.contains(url.origin());
}

const NpmCredentials::Entry* NpmCredentials::find(const Url& url) const {
  // The longest path wins, then the first entry: npm walks up from the address itself.
  const Entry* best = nullptr;
  for (const Entry& entry : entries_) {
    if (may_be_sent(entry, url) && (best == nullptr || entry.path.size() > best->path.size())) best = &entry;
  }
  return best;
}

std::optional<Secret> NpmCredentials::authorization_for(const Url& url) const {
  const Entry* entry = find(url);
  return entry ? std::optional(entry->authorization) : std::nullopt;
}

std::optional<std::string> NpmCredentials::explain(const Url& url) const {
  const Entry* entry = find(url);
  return entry ? std::optional(entry->described) : std::nullopt;
}

}  // namespace curupira::registry
