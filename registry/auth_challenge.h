#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/http_client.h"

namespace curupira::registry {

/// What a server wants to see before it answers (RFC 9110 §11.6.1).
struct AuthChallenge {
  std::string scheme;                             ///< lower case: "bearer"
  std::map<std::string, std::string> parameters;  ///< names in lower case
};

/// All challenges of an answer's WWW-Authenticate headers; what cannot be read is left out.
std::vector<AuthChallenge> parse_challenges(const HttpResponse& response);
/// Those of one header's value.
std::vector<AuthChallenge> parse_challenges(std::string_view value);

}  // namespace curupira::registry
