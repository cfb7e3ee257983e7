#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/byte_sink.h"
#include "base/result.h"

namespace curupira::tuf {

/// Where a repository's metadata files come from: a folder, a web server, an OCI registry, a bundle. Nothing
/// that it returns is believed.
class MetadataFetcher {
 public:
  virtual ~MetadataFetcher() = default;
  /// The whole file; `name` is one segment, percent-encoded ("3.root.json", "1.a%2Fb.json"). Nothing when the
  /// repository has no such file. Errors: tuf_metadata_too_large for more than `max_bytes`, before all of it
  /// was read; the carrier's own for everything else.
  virtual Result<std::optional<std::string>> fetch(const std::string& name, std::uint64_t max_bytes) = 0;
};

/// Where its target files come from.
class TargetFetcher {
 public:
  virtual ~TargetFetcher() = default;
  /// Writes the file with this path ("packages/<digest>.x.json", not encoded), at most `max_bytes` of it.
  /// Errors: tuf_target_swapped for more than that; the carrier's own, http_not_found too.
  virtual Result<> fetch(const std::string& path, std::uint64_t max_bytes, ByteSink& into) = 0;
};

}  // namespace curupira::tuf
