#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/http_client.h"
#include "registry/sources.h"

namespace curupira::registry {

/// Which package indexes uv is to ask, and what opens the wheels that they name.
struct PythonIndexes {
  /// For uv: the caller's, with what only pip is configured for: its indexes where uv's own configuration
  /// names none, its `cert`, `client-cert`, `proxy` and `keyring-provider`.
  Environment environment;
  /// For the indexes' own origins: passwords of their addresses, of UV_INDEX_<NAME>_USERNAME and _PASSWORD,
  /// of the netrc file, of the keyring where that is asked for. How they are reached: pip's settings.
  std::shared_ptr<const CredentialSource> credentials;
  /// Who names indexes: "UV_DEFAULT_INDEX", "index-url in /home/me/.config/pip/pip.conf". Empty: nobody, uv's
  /// own default counts.
  std::string named_by = {};
};

/// Reads the variables and the files of pip and uv. May run `keyring`, for indexes that name a user without a
/// password. Warnings go to `diagnostics`, when given.
PythonIndexes read_python_indexes(const SourceTools& tools, Diagnostics* diagnostics = nullptr);

}  // namespace curupira::registry
