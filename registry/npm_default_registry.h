#pragma once

#include "base/result.h"
#include "base/url.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The registry that npm uses when nothing names one: asked of npm once and kept in the home's cache for as
/// long as npm is the same file of the same age. Errors: tool_missing, tool_failed, url_invalid.
Result<Url> npm_default_registry(const SourceTools& tools);

}  // namespace curupira::registry
