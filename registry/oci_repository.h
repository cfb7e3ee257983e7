#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/url.h"

namespace curupira::registry {

/// A repository of an OCI registry.
struct OciRepository {
  Url origin;        ///< "https://host:port/"
  std::string path;  ///< "team/plugins"

  /// "oci://HOST[:PORT]/PATH"; on loopback hosts without encryption, else with. Error: carrier_address, also
  /// for a login, a tag or a digest in it.
  static Result<OciRepository> parse(std::string_view address);
  std::string authority() const;  ///< "host" or "host:port"
  std::string to_string() const;  ///< the address again
};

}  // namespace curupira::registry
