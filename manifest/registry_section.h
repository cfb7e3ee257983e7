#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace curupira::manifest {

/// `[registries.NAME]` as it is written into a settings file.
struct RegistrySection {
  std::string name;
  std::string url;
  std::vector<std::string> mirrors = {};
  std::string root_fingerprint;  ///< "sha256:…"
};

/// The section as text, with a line end.
std::string write_registry_section(const RegistrySection& section);

/// The settings with the section at their end, all other bytes as they were. Error: settings_field when it
/// cannot be written there, because `registries` is something else in this file.
Result<std::string> with_registry(std::string_view settings, const RegistrySection& section);

/// The settings without the section `[registries.NAME]`, and nothing else changed. Error: settings_field when
/// the registry is not written as a section of its own.
Result<std::string> without_registry(std::string_view settings, const std::string& name);

}  // namespace curupira::manifest
