#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/http_client.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/url.h"
#include "registry/npm_transport.h"

namespace curupira::registry {

/// How npm's servers are reached, and tokens and passwords as npm binds them: to a host, a port and the
/// beginning of a path
/// ("//host/path/:_authToken"). A plain http address gets one only on loopback, or where the user's own
/// configuration names it as a registry, so that a file of the current folder cannot have it sent in the
/// open.
class NpmCredentials final : public CredentialSource {
 public:
  enum class Trust {
    own,
    project
  };  ///< who wrote it: the user (or the machine), or a file of the current folder

  /// `place` is what stands before ":_authToken": "//host:port/path/". Entries that come first win. Error:
  /// url_invalid.
  /// `origin` says who wrote it, for messages: the file.
  Result<> add(std::string_view place, Secret authorization, Trust trust, std::string origin = {});
  /// A registry of the user's configuration; its user information, when it has some, becomes an entry.
  void add_registry(const Url& registry);
  bool empty() const { return entries_.empty(); }

  std::optional<Secret> authorization_for(const Url& url) const override;
  TransportOptions transport_for(const Url& url) const override { return transport_.options_for(url); }
  NpmTransport& transport() { return transport_; }
  const NpmTransport& transport() const { return transport_; }
  /// Which entry authorization_for() takes, without its secret: "//host/path/ in /home/me/.npmrc".
  std::optional<std::string> explain(const Url& url) const;

 private:
  struct Entry {
    std::string host;
    std::optional<std::uint16_t> port;  ///< nothing: the scheme's own
    std::string path;                   ///< ends with '/'
    Secret authorization;
    Trust trust;
    std::string described;  ///< for messages
  };
  const Entry* find(const Url& url) const;
  bool may_be_sent(const Entry& entry, const Url& url) const;
  NpmTransport transport_;
  std::vector<Entry> entries_;
  std::set<std::string, std::less<>> plain_origins_;
};

/// "Basic …" for "user:password".
Secret basic_authorization(const Secret& user_info);

}  // namespace curupira::registry
