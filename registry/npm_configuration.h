#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "base/url.h"
#include "registry/npm_credentials.h"
#include "registry/sources.h"

namespace curupira::registry {

/// Which registry a package belongs to and what opens it, from the configuration that npm itself reads, in
/// npm's order: npm_config_… variables, .npmrc of the current folder, of the user, of the machine.
///
/// The file of the current folder may come with a stranger's checkout. It can name registries and bring
/// credentials of its own; ${NAME} is not replaced in it, so it reads no environment, and a credential of the
/// user stays bound to its host.
class NpmConfiguration {
 public:
  /// Reads the files; runs nothing. A file that exists and cannot be read is an error: it may bind a scope to
  /// a registry.
  static Result<NpmConfiguration> load(const SourceTools& tools, Diagnostics& diagnostics);

  /// The registry of the package's scope, else the general one; nothing when none is named. Error:
  /// url_invalid. A scope's registry is the only one that is asked for its packages.
  Result<std::optional<Url>> registry_for(std::string_view package) const;
  /// The package's source as a lock file names it: "npm:@scope" when its scope is bound to a registry, else
  /// "npm".
  std::string logical_source(std::string_view package) const;
  const std::shared_ptr<const NpmCredentials>& credentials() const { return credentials_; }
  /// Every registry that is named, for `doctor`.
  struct NamedRegistry {
    std::string key;     ///< "registry" or "@scope:registry"
    std::string origin;  ///< who names it: the file, or "the environment"
    Result<Url> url;     ///< error: url_invalid
  };
  std::vector<NamedRegistry> registries() const;
  /// What the current folder's file says of registries, as a .npmrc for npm in another folder. Contains
  /// secrets.
  const std::string& project_settings() const { return project_settings_; }

 private:
  struct Named {
    std::string url;
    std::string origin;  ///< for messages: the file, or "the environment"
  };
  class Loader;
  std::map<std::string, Named, std::less<>> registries_;  ///< by "registry" or "@scope:registry"
  std::shared_ptr<const NpmCredentials> credentials_;
  std::string project_settings_;
};

/// Registry addresses end with a slash: packages are below them. Error: url_invalid, with `origin` in the
/// text.
Result<Url> parse_registry_url(std::string_view text, const std::string& origin);

}  // namespace curupira::registry
