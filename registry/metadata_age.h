#pragma once

#include <chrono>
#include <string>

namespace curupira::registry {

/// `registry_metadata_max_age` of the policy: how long what a registry said may be used without asking it.
struct MetadataAge {
  std::chrono::seconds maximum{};
  std::string rule;  ///< for messages: `settings.toml:5: registry_metadata_max_age "7d"`
};

}  // namespace curupira::registry
