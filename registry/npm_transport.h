#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/http_transport.h"
#include "base/url.h"

namespace curupira::registry {

/// The settings of npm that say how servers are reached: `cafile`, `ca`, `strict-ssl`, `proxy`,
/// `https-proxy`, `noproxy`, and `certfile` and `keyfile` of a registry. Taken from the user's own
/// configuration only.
class NpmTransport {
 public:
  static bool is_setting(std::string_view key);
  /// The first value of a setting counts; paths are absolute; `origin` names the file for messages. False
  /// when the value cannot be used.
  bool set(const std::string& key, const std::string& value, const std::string& origin);
  /// `place` is what stands before ":certfile": "//host:port/path/". False when it is none.
  bool set_certificate(std::string_view place, std::string_view member, const std::string& file,
                       const std::string& origin);
  /// After all of them; `environment` has what is not set here.
  void complete(const Environment& environment);

  /// Certificates of registries that are named need not be valid; `origin` of that setting.
  const std::optional<std::string>& unchecked_by() const { return unchecked_by_; }
  void add_registry(const Url& registry) { registries_.insert(registry.origin()); }
  bool has_registry() const { return !registries_.empty(); }

  TransportOptions options_for(const Url& url) const;

 private:
  struct Certificate {
    std::string origin;  ///< of the server
    std::string path;    ///< ends with '/'
    ClientCertificate files;
  };
  struct Setting {
    std::string value, origin;
  };
  std::optional<Setting> https_proxy_, proxy_, noproxy_, cafile_, ca_, strict_;
  std::optional<std::string> unchecked_by_;
  std::vector<Certificate> certificates_;
  std::set<std::string, std::less<>> registries_;
  TransportOptions common_;
};

}  // namespace curupira::registry
