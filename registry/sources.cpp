#include "registry/sources.h"

#include "registry/archive_source.h"
#include "registry/folder_source.h"
#include "registry/npm_source.h"
#include "registry/pip_source.h"
#include "registry/registry_source.h"

namespace curupira::registry {

std::vector<std::unique_ptr<Source>> make_sources(const SourceTools& tools) {
  std::vector<std::unique_ptr<Source>> sources;
  sources.push_back(std::make_unique<NpmSource>(tools));
  sources.push_back(std::make_unique<PipSource>(tools));
  sources.push_back(std::make_unique<FolderSource>(tools));
  sources.push_back(std::make_unique<ArchiveSource>(tools));
  sources.push_back(std::make_unique<RegistrySource>(tools));
  return sources;
}

Source& source_for(const std::vector<std::unique_ptr<Source>>& sources, const Reference& reference) {
  for (const auto& source : sources) {
    if (source->handles(reference)) return *source;
  }
  return *sources.front();  // refuses what is not its own
}

}  // namespace curupira::registry
