#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "base/digest.h"
#include "base/result.h"

namespace curupira::registry {

/// Where the files of a registry are kept: a folder, a web server, an OCI registry, a bundle. A carrier can
/// withhold files; that it changes none is proved by their digests and by the signatures in the metadata. For
/// one thread.
class Carrier {
 public:
  virtual ~Carrier() = default;

  /// Its address without credentials, for messages.
  virtual std::string name() const = 0;

  /// The whole metadata file of this name ("3.root.json"); nothing when there is none. Nothing vouches for it
  /// yet. Errors: carrier_file_missing for what is no name of metadata; response_too_large for more than
  /// `max_bytes`; those of reaching it.
  virtual Result<std::optional<std::string>> metadata(const std::string& file_name,
                                                      std::uint64_t max_bytes) = 0;

  /// It is a copy that was carried here: what it says was so when it was signed, and nobody knows what the
  /// registry says now.
  virtual bool is_carried() const { return false; }

  /// The caller found out that what `metadata` gave last does not hold, and says why. True when another
  /// carrier is asked from now on: the caller begins its update anew. False: there is no other one.
  virtual bool reject_metadata(const Error& why);

  /// Writes a target file ("artifacts/<sha256>.x.tar.gz") into the sink. `sha256`: what it has to be; null:
  /// what its name says. Errors: carrier_file_missing; digest_mismatch and response_too_large (more than
  /// `max_bytes`), after which the sink has bytes that nobody may use; those of reaching it; those of the
  /// sink.
  virtual Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                          ByteSink& sink) = 0;
};

struct LockRequest;

/// One that can be published to.
class WritableCarrier : public Carrier {
 public:
  /// Before the first change, where several may want to change it. Error: registry_busy.
  virtual Result<> begin(const LockRequest& request);
  /// A file that only ever is written as a whole: what is not put or found with `has_target` before `finish`
  /// is not in it afterwards.
  virtual bool is_written_whole() const { return false; }
  /// All is put: what is written as a whole appears. Errors: those of writing.
  virtual Result<> finish() { return {}; }
  /// There will be no `finish`, and nobody goes on from here: what only helped to go on is removed.
  virtual void abandon() {}

  /// True when `put_target` would have nothing to do. `sha256` as for `target`.
  virtual Result<bool> has_target(const std::string& path, const Digest* sha256) = 0;
  /// Copies a file there; it is complete or absent. Errors: digest_mismatch and size_mismatch when the file
  /// is something else than was said; carrier_taken when another content has the path; those of writing.
  virtual Result<> put_target(const std::string& path, const std::filesystem::path& file,
                              const Digest& sha256, std::uint64_t size) = 0;
  /// A name with a version ("7.snapshot.json") is written once: carrier_taken when it has another content,
  /// and nothing is done when it has this one. Others ("timestamp.json") are replaced in one step.
  virtual Result<> put_metadata(const std::string& file_name, std::string_view bytes) = 0;
};

/// A name that can be a file, a segment of a URL and a part of a tag: unreserved characters of URLs and '%',
/// ends with ".json", begins with none of ".-%", at most 255 bytes. Error: carrier_file_missing.
Result<> check_metadata_name(std::string_view file_name);
/// "7.snapshot.json", but not "timestamp.json".
bool has_version(std::string_view file_name);

}  // namespace curupira::registry
