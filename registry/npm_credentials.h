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

namespace curupira::registry {

/// Tokens and passwords as npm binds them: to a host, a port and the beginning of a path
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
  Result<> add(std::string_view place, Secret authorization, Trust trust);
  /// A registry of the user's configuration; its user information, when it has some, becomes an entry.
  void add_registry(const Url& registry);
  bool empty() const { return entries_.empty(); }

  std::optional<Secret> authorization_for(const Url& url) const override;

 private:
  struct Entry {
    std::string host;
    std::optional<std::uint16_t> port;  ///< nothing: the scheme's own
    std::string path;                   ///< ends with '/'
    Secret authorization;
    Trust trust;
  };
  bool may_be_sent(const Entry& entry, const Url& url) const;
  std::vector<Entry> entries_;
  std::set<std::string, std::less<>> plain_origins_;
};

/// "Basic …" for "user:password".
Secret basic_authorization(const Secret& user_info);

}  // namespace curupira::registry
