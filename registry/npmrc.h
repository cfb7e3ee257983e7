#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.h"

namespace curupira::registry {

/// One setting of a .npmrc file, before ${NAME} is replaced.
struct NpmrcSetting {
  std::string key;  ///< "registry", "@acme:registry", "//registry.example.org/:_authToken"
  std::string value;
};

/// The settings of a .npmrc file (INI as npm reads it) in their order. What is no setting of a single value
/// (sections, lists but ca[], flags) is left out: nothing in it concerns registries. Never fails; the file is
/// the user's.
std::vector<NpmrcSetting> parse_npmrc(std::string_view text);

/// Replaces ${NAME} and ${NAME?} as npm does: an unset NAME leaves the text as it is, an unset NAME? becomes
/// empty, an odd number of backslashes before the '$' keeps the text.
std::string expand_npmrc(std::string_view text, const Environment& environment);

}  // namespace curupira::registry
