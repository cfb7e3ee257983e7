#pragma once

#include <memory>

#include "base/environment.h"
#include "base/http_client.h"

namespace curupira::registry {

/// Which package indexes uv is to ask, and what opens the wheels that they name.
struct PythonIndexes {
  /// For uv: the caller's, with pip's PIP_INDEX_URL and PIP_EXTRA_INDEX_URL where no UV_… variable names an
  /// index.
  Environment environment;
  /// Passwords of index addresses and of UV_INDEX_<NAME>_USERNAME/_PASSWORD, for the indexes' own origins
  /// only.
  std::shared_ptr<const CredentialSource> credentials;
};

PythonIndexes read_python_indexes(const Environment& environment);

}  // namespace curupira::registry
