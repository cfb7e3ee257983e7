#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/http_client.h"

namespace curupira::installer {

/// Where a home keeps them.
std::filesystem::path partial_folder(const HomeLayout& home);

/// Downloads that broke off, kept for the next run: `<algorithm>-<hex>.part` by the digest that is promised,
/// and beside it `….json` with what tells whether the server still has the same file. Nothing in here is
/// trusted: the whole file is digested again. Used under the home's lock only.
class PartialDownloads {
 public:
  /// An empty `folder`: nothing is kept.
  PartialDownloads(FileSystem& files, std::filesystem::path folder)
      : files_(files), folder_(std::move(folder)) {}

  bool enabled() const { return !folder_.empty(); }
  std::filesystem::path file(const Digest& digest) const;
  /// What is there of the file and can be gone on with.
  std::optional<ResumePoint> find(const Digest& digest) const;
  /// From now on `staged`, which may be open, is the kept part; `validator` of its answer comes to the disk
  /// before any byte of it.
  Result<> keep(const Digest& digest, const std::filesystem::path& staged, const std::string& validator);
  /// The part begins anew, from an answer with this validator; an empty one cannot be gone on with.
  Result<> note_validator(const Digest& digest, const std::string& validator);
  /// The part is whole: it becomes `staged`.
  Result<> finish(const Digest& digest, const std::filesystem::path& staged);
  void remove(const Digest& digest);
  /// Removes what is older than `max_partial_age`, and the oldest of what is more than `max_partial_bytes`.
  /// What cannot be removed stays for the next time.
  void tidy(std::chrono::system_clock::time_point now);

 private:
  std::filesystem::path stem(const Digest& digest) const;
  FileSystem& files_;
  std::filesystem::path folder_;
};

}  // namespace curupira::installer
