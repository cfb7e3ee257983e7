#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "base/result.h"
#include "base/secret.h"
#include "registry/sources.h"

namespace curupira::registry {

/// A name and what proves it, for an OCI registry.
struct RegistryLogin {
  std::string user;
  Secret secret;
  bool is_identity_token = false;  ///< the secret is one that a token server gave, not a password
  std::string origin;              ///< where it was found, for messages

  /// "user:password"; empty for an identity token.
  Secret user_info() const;
};

/// The logins that `docker login` and its kin keep: `auths`, `credHelpers` and `credsStore` of config.json.
class DockerConfig {
 public:
  /// $DOCKER_CONFIG/config.json, else ~/.docker/config.json; empty when there is none. One that cannot be
  /// read is warned about, without any value of it.
  static DockerConfig load(const Environment& environment, const ReadOnlyFileSystem& files,
                           Diagnostics& diagnostics);
  /// `origin`: the file, for messages. Error: json_invalid.
  static Result<DockerConfig> parse(std::string_view text, const std::string& origin);

  /// The login for "host" or "host:port" and a repository path in it. A credential helper that is configured
  /// for the host is run; what is wrong with it is warned about. Docker's order: the host's own helper, the
  /// store for all, the file.
  std::optional<RegistryLogin> login_for(const SourceTools& tools, const std::string& authority,
                                         const std::string& path, Diagnostics& diagnostics) const;

  /// The same without asking a helper.
  std::optional<RegistryLogin> login_in_file(const std::string& authority, const std::string& path) const;

 private:
  std::map<std::string, RegistryLogin> auths_;  ///< by "host[:port][/path]"
  std::map<std::string, std::string> helpers_;  ///< by "host[:port]": the end of the program's name
  std::string store_;                           ///< the same, for all hosts; empty when there is none
};

/// What the program `docker-credential-<helper>` has for a host. Nothing when it says that it has none.
std::optional<RegistryLogin> ask_credential_helper(const SourceTools& tools, const std::string& helper,
                                                   const std::string& authority, Diagnostics& diagnostics);

}  // namespace curupira::registry
