#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/byte_sink.h"
#include "base/digest.h"
#include "base/file_reader.h"
#include "base/result.h"

namespace curupira::registry {

/// How an image layout is read.
struct OciLayoutReading {
  std::size_t max_entries = 0;      ///< of the tar
  std::size_t max_index_bytes = 0;  ///< of index.json
  bool digest_blobs = true;         ///< every blob is read and has to be what it is named after
};

/// An OCI image layout in a tar file ("oci-archive" of other tools): `oci-layout`, `index.json` and
/// `blobs/sha256/<hex>`, in any order, and nothing else.
class OciLayout {
 public:
  /// Goes through the file once. Errors: file_not_found; bundle_unreadable for what is no such archive;
  /// bundle_blob_changed and bundle_blob_extra, which name the blob.
  static Result<OciLayout> open(const std::filesystem::path& file, const OciLayoutReading& reading);

  const std::string& index() const { return index_; }  ///< text of index.json
  bool has(const Digest& blob) const { return blobs_.contains(blob); }
  /// Bytes. Error: bundle_blob_missing.
  Result<std::uint64_t> size(const Digest& blob) const;
  /// The bytes that stand there, without a look at what they are. Errors: bundle_blob_missing, file_failed,
  /// those of the sink.
  Result<> copy(const Digest& blob, ByteSink& sink) const;
  /// The same, digested. Error also: bundle_blob_changed, after which the sink has bytes that nobody may use.
  Result<> read(const Digest& blob, ByteSink& sink) const;
  /// Error also: bundle_unreadable when it is longer than `max_bytes`.
  Result<std::string> read_text(const Digest& blob, std::uint64_t max_bytes) const;

  struct Place {
    std::uint64_t offset = 0;  ///< of its bytes in the file
    std::uint64_t size = 0;
  };
  const std::map<Digest, Place>& blobs() const { return blobs_; }

 private:
  OciLayout(FileReader file, std::string index, std::map<Digest, Place> blobs)
      : file_(std::move(file)), index_(std::move(index)), blobs_(std::move(blobs)) {}

  FileReader file_;
  std::string index_;
  std::map<Digest, Place> blobs_;
};

/// "blobs/sha256/<hex>", for messages.
std::string oci_blob_path(const Digest& blob);

}  // namespace curupira::registry
