#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace curupira::registry {

/// A manifest that belongs to another one, as an index of the referrers API names it (OCI distribution
/// specification 1.1).
struct OciReferrer {
  std::string artifact_type;
  std::map<std::string, std::string> annotations;
};

/// The entries of an index. Error: carrier_unreadable.
Result<std::vector<OciReferrer>> parse_oci_referrers(std::string_view text);

/// The address of the next page, as the answer gives it: <…>; rel="next". Empty when there is none.
std::string next_page(std::string_view link_header);

}  // namespace curupira::registry
