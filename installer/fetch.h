#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "installer/install_observer.h"
#include "installer/limits.h"
#include "installer/store.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// Bytes on disk, bounded, their digests known, and not trusted: they cannot be unpacked (design.md §2, step
/// 4).
struct FetchedArtifact {
  registry::Artifact artifact;
  std::filesystem::path file;   ///< in the staging folder, or in the store
  std::uint64_t size = 0;       ///< bytes
  std::vector<Digest> digests;  ///< sha256, and one for each other algorithm of the proof
  bool in_store = false;
};

/// What fetching works with.
struct FetchTools {
  HttpClient* http;  ///< nothing when offline: then only the store and files of this machine are read
  FileSystem& files;
  const Store& store;
  std::filesystem::path staging;  ///< an existing folder for the files
  InstallObserver& observer;
  FetchLimits limits = {};
};

/// Fetches all artifacts, several at a time; what the store has is read from there and digested again. A
/// damaged blob of the store is fetched anew. Errors: those of the network, size_mismatch,
/// artifact_too_large, file_not_found, integrity_missing, integrity_weak (a proof that proves nothing is
/// noticed before anything is fetched).
Result<std::vector<FetchedArtifact>> fetch(const FetchTools& tools,
                                           std::span<const registry::Artifact> artifacts);

}  // namespace curupira::installer
