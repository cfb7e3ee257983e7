#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/http_client.h"
#include "base/process_runner.h"
#include "manifest/registry_settings.h"
#include "registry/metadata_age.h"
#include "registry/release_age.h"
#include "registry/source.h"

namespace curupira::registry {

class RegistryClients;

/// What sources work with.
struct SourceTools {
  const Environment& environment;
  const HomeLayout& home;
  std::filesystem::path current_folder;
  FileSystem& files;
  HttpClient* http;  ///< nothing when offline
  ProcessRunner& processes;
  const Clock* clock = nullptr;  ///< for answers that are kept for a while; without one, none is
  std::optional<ReleaseAge> release_age = {};  ///< when the policy asks for one: what may be chosen
  /// The policy's rule, for messages, when releases that their authors took back are not to be chosen.
  std::optional<std::string> refuse_yanked = {};
  /// Those of the settings; null where none are read.
  const std::vector<manifest::RegistrySettings>* registries = nullptr;
  std::optional<MetadataAge> metadata_age = {};  ///< when the policy asks for one: of registries' metadata
  RegistryClients* registry_clients = nullptr;   ///< of this command; null where no registry is asked
  /// What is asked for is locked or installed already: one that was taken back since stays.
  bool is_locked = false;
};

/// All sources of this version: npm, pip, path, archive, curupira registries.
std::vector<std::unique_ptr<Source>> make_sources(const SourceTools& tools);

/// The source that handles `reference`; there always is one.
Source& source_for(const std::vector<std::unique_ptr<Source>>& sources, const Reference& reference);

}  // namespace curupira::registry
