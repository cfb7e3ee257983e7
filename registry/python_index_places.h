#pragma once

#include "base/result.h"
#include "registry/python_indexes.h"
#include "registry/simple_index.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The indexes that uv asks, in its order: those of the environment when a default is named there; else what
/// uv answers (its configuration files count), which is kept in the home's cache for the day without uv.
/// Errors: tool_missing when nothing says where packages are; tool_failed; url_invalid.
Result<IndexPlaces> python_index_places(const SourceTools& tools, const PythonIndexes& indexes);

/// Reads "--index-url …" and "--extra-index-url …" lines: the default index is asked last.
/// Error: url_invalid.
Result<std::vector<Url>> read_index_options(std::string_view text);

}  // namespace curupira::registry
