#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/byte_sink.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "installer/fetch.h"
#include "installer/limits.h"
#include "installer/partial_downloads.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// The end of a chain: the file, or nothing for bytes that are where they should be and only digested.
class FileEnd final : public ByteSink {
 public:
  Result<> write(std::span<const std::byte> bytes) override {
    return file_ && !is_there_ ? file_->write(bytes) : Result<>();
  }
  Result<> restart() override {
    is_there_ = false;
    return file_ ? file_->restart() : Result<>();
  }
  Result<> commit() { return file_ ? file_->commit() : Result<>(); }
  void set_file(std::unique_ptr<WritableFile> file) { file_ = std::move(file); }
  /// The bytes that follow are in the file already.
  void set_is_there(bool is_there) { is_there_ = is_there; }

 private:
  std::unique_ptr<WritableFile> file_;
  bool is_there_ = false;
};

/// limit → digests → file, for one artifact.
class FetchIntake {
 public:
  /// `staged` is where the file is in the end. `artifact` has a strong digest.
  FetchIntake(const registry::Artifact& artifact, const FetchLimits& limits, std::filesystem::path staged);
  FetchIntake(const FetchIntake&) = delete;
  FetchIntake& operator=(const FetchIntake&) = delete;

  ByteSink& sink() { return *counter_; }
  std::uint64_t limit() const { return limit_; }
  const registry::Artifact& artifact() const { return artifact_; }
  /// What a part of it is kept by.
  const Digest& key() const;

  /// Begins with a new file. Without this, bytes are only digested.
  Result<> open(FileSystem& files);
  /// Begins with what an earlier run left, if it can be gone on with; else with a new file.
  Result<std::optional<ResumePoint>> open(FileSystem& files, PartialDownloads& partials);
  /// The answer's first word: is it worth keeping when it breaks off?
  Result<> note_answer(const HttpResponse& response, PartialDownloads& partials);
  /// A part that cannot become the whole is of no use to the next run either.
  void drop(PartialDownloads& partials);
  /// At its place, whole, with its digests.
  Result<FetchedArtifact> finish(PartialDownloads* partials);
  /// It came in pieces, which may not belong together.
  bool resumed() const { return resumed_; }

 private:
  bool take_part(FileSystem& files, PartialDownloads& partials);

  const registry::Artifact& artifact_;
  std::filesystem::path staged_;
  std::uint64_t limit_;
  FileEnd end_;
  std::vector<std::unique_ptr<DigestSink>> digests_;
  std::unique_ptr<LimitSink> counter_;
  bool kept_ = false;  ///< the file is among the partial downloads
  bool resumed_ = false;
};

}  // namespace curupira::installer
