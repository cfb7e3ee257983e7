#include "installer/fetch_intake.h"

#include <algorithm>
#include <set>

#include "base/file_copy.h"
#include "base/printable.h"

namespace curupira::installer {

FetchIntake::FetchIntake(const registry::Artifact& artifact, const FetchLimits& limits,
                         std::filesystem::path staged)
    : artifact_(artifact),
      staged_(std::move(staged)),
      limit_(std::min(artifact.proof.size.value_or(limits.max_artifact), limits.max_artifact)) {
  std::set<DigestAlgorithm> algorithms{DigestAlgorithm::sha256};
  for (const Digest& digest : artifact.proof.any_of)
    if (digest.strong()) algorithms.insert(digest.algorithm());
  ByteSink* last = &end_;
  for (const auto algorithm : algorithms) {
    digests_.push_back(std::make_unique<DigestSink>(*last, algorithm));
    last = digests_.back().get();
  }
  counter_ = std::make_unique<LimitSink>(*last, limit_);
}

const Digest& FetchIntake::key() const {
  return *std::ranges::find_if(artifact_.proof.any_of, [](const Digest& digest) { return digest.strong(); });
}

Result<> FetchIntake::open(FileSystem& files) {
  CURUPIRA_TRY(auto file, files.create_file(staged_, 0600));
  end_.set_file(std::move(file));
  return {};
}

Result<std::optional<ResumePoint>> FetchIntake::open(FileSystem& files, PartialDownloads& partials) {
  auto point = partials.find(key());
  if (point && point->offset < limit_ && take_part(files, partials)) {
    kept_ = true;
    point->offset = counter_->count();
    return point;
  }
  partials.remove(key());
  CURUPIRA_CHECK(sink().restart());
  CURUPIRA_CHECK(open(files));
  return std::optional<ResumePoint>();
}

bool FetchIntake::take_part(FileSystem& files, PartialDownloads& partials) {
  const auto path = partials.file(key());
  auto file = files.append_to_file(path);
  if (!file) return false;
  end_.set_is_there(true);
  const bool read = copy_into(path, sink()).has_value();
  end_.set_is_there(false);
  if (read) end_.set_file(*std::move(file));
  return read;
}

Result<> FetchIntake::note_answer(const HttpResponse& response, PartialDownloads& partials) {
  resumed_ = response.status == 206;
  if (resumed_) return {};
  const std::string validator = response.validator();
  if (kept_) return partials.note_validator(key(), validator);
  if (!partials.enabled() || validator.empty() || response.body_bytes < least_partial_bytes) return {};
  kept_ = true;
  return partials.keep(key(), staged_, validator);
}

void FetchIntake::drop(PartialDownloads& partials) {
  if (kept_) partials.remove(key());
}

Result<FetchedArtifact> FetchIntake::finish(PartialDownloads* partials) {
  CURUPIRA_CHECK(end_.commit());
  if (kept_ && partials != nullptr) CURUPIRA_CHECK(partials->finish(key(), staged_));
  kept_ = false;
  FetchedArtifact fetched{.artifact = artifact_, .file = staged_, .size = counter_->count(), .digests = {}};
  for (const auto& sink : digests_)
    fetched.digests.push_back(sink->finish());
  return fetched;
}

}  // namespace curupira::installer
