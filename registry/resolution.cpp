#include "registry/resolution.h"

#include "registry/registry_client.h"

namespace curupira::registry {

std::string location_text(const Artifact& artifact) {
  if (const auto* const url = std::get_if<Url>(&artifact.location)) return url->to_string();
  if (const auto* const path = std::get_if<std::filesystem::path>(&artifact.location)) return path->string();
  return "the registry " + std::get<RegistryFile>(artifact.location).registry->name();
}

}  // namespace curupira::registry
