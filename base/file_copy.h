#pragma once

#include <filesystem>

#include "base/byte_sink.h"
#include "base/result.h"

namespace curupira {

/// Passes the bytes of a file on. Errors: file_not_found, archive_unreadable (no regular file), file_failed,
/// those of the sink.
Result<> copy_into(const std::filesystem::path& path, ByteSink& sink);

}  // namespace curupira
