#include "installer/fetch.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/byte_sink.h"
#include "base/printable.h"

namespace curupira::installer {
namespace {

/// The end of a chain that only digests: for files that are in the store already.
class NoSink final : public ByteSink {
 public:
  Result<> write(std::span<const std::byte>) override { return {}; }
  Result<> restart() override { return {}; }
};

/// limit → digests → file, for one artifact.
class Intake {
 public:
  static Result<std::unique_ptr<Intake>> create(const registry::Artifact& artifact, const FetchLimits& limits,
                                                FileSystem* files, std::filesystem::path file) {
    auto intake = std::unique_ptr<Intake>(new Intake);
    intake->file_path_ = std::move(file);
    if (files == nullptr) {
      intake->sinks_.push_back(std::make_unique<NoSink>());
    } else {
      CURUPIRA_TRY(auto opened, files->create_file(intake->file_path_, 0600));
      intake->file_ = opened.get();
      intake->sinks_.push_back(std::move(opened));
    }
    std::set<DigestAlgorithm> algorithms{DigestAlgorithm::sha256};
    for (const Digest& digest : artifact.proof.any_of)
      if (digest.strong()) algorithms.insert(digest.algorithm());
    for (const auto algorithm : algorithms) {
      auto sink = std::make_unique<DigestSink>(*intake->sinks_.back(), algorithm);
      intake->digests_.push_back(sink.get());
      intake->sinks_.push_back(std::move(sink));
    }
    intake->limit_ = std::min(artifact.proof.size.value_or(limits.max_artifact), limits.max_artifact);
    auto limit = std::make_unique<LimitSink>(*intake->sinks_.back(), intake->limit_);
    intake->counter_ = limit.get();
    intake->sinks_.push_back(std::move(limit));
    return intake;
  }

  ByteSink& sink() { return *sinks_.back(); }
  std::uint64_t limit() const { return limit_; }

  Result<FetchedArtifact> finish(const registry::Artifact& artifact) {
    if (file_ != nullptr) CURUPIRA_CHECK(file_->commit());
    FetchedArtifact fetched{
        .artifact = artifact, .file = file_path_, .size = counter_->count(), .digests = {}};
    for (DigestSink* const sink : digests_)
      fetched.digests.push_back(sink->finish());
    return fetched;
  }

 private:
  Intake() = default;
  std::filesystem::path file_path_;
  WritableFile* file_ = nullptr;
  std::vector<std::unique_ptr<ByteSink>> sinks_;
  std::vector<DigestSink*> digests_;
  LimitSink* counter_ = nullptr;
  std::uint64_t limit_ = 0;
};

Result<> check_proof(const registry::Artifact& artifact) {
  if (artifact.proof.any_of.empty()) return fail(ErrorCode::integrity_missing, printable(artifact.file_name));
  const auto strong = [](const Digest& digest) { return digest.strong(); };
  if (std::none_of(artifact.proof.any_of.begin(), artifact.proof.any_of.end(), strong))
    return fail(ErrorCode::integrity_weak, printable(artifact.file_name) + ": " +
                                               std::string(name_of(artifact.proof.any_of[0].algorithm())));
  return {};
}

/// A limit that is the promised size was passed: then the size is wrong, not the limit.
Error explain(Error error, const registry::Artifact& artifact) {
  const bool too_large =
      error.code() == ErrorCode::artifact_too_large || error.code() == ErrorCode::response_too_large;
  if (!too_large || !artifact.proof.size) return error;
  return Error(ErrorCode::size_mismatch, printable(artifact.file_name) + ": expected " +
                                             std::to_string(*artifact.proof.size) + " bytes  found more");
}

Error with_place(Error error, const registry::Artifact& artifact) {
  std::string place = "fetching " + printable(artifact.file_name) + " from ";
  if (const auto* const url = std::get_if<Url>(&artifact.location))
    place += printable(url->to_string());
  else
    place += printable(std::get<std::filesystem::path>(artifact.location).string());
  return std::move(error).while_doing(std::move(place));
}

Result<> copy_into(const std::filesystem::path& path, ByteSink& sink) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    return fail(ErrorCode::file_not_found, printable(path.string()));
  if (!std::filesystem::is_regular_file(path, problem))
    return fail(ErrorCode::archive_unreadable, printable(path.string()) + " is no regular file");
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    const auto count = static_cast<std::size_t>(stream.gcount());
    CURUPIRA_CHECK(sink.write(std::as_bytes(std::span(buffer).first(count))));
  }
  if (!stream.eof()) return fail(ErrorCode::file_failed, printable(path.string()) + " cannot be read");
  return {};
}

/// The artifact's blob in the store, if one of its strong digests names one that is whole.
Result<std::optional<FetchedArtifact>> find_in_store(const FetchTools& tools,
                                                     const registry::Artifact& artifact) {
  for (const Digest& digest : artifact.proof.any_of) {
    if (!digest.strong()) continue;
    CURUPIRA_TRY(const bool there, tools.store.has_blob(digest));
    if (!there) continue;
    const auto path = tools.store.blob(digest);
    CURUPIRA_TRY(const auto intake, Intake::create(artifact, tools.limits, nullptr, path));
    const auto read = copy_into(path, intake->sink());
    if (read) {
      CURUPIRA_TRY(FetchedArtifact fetched, intake->finish(artifact));
      fetched.in_store = true;
      if (std::find(fetched.digests.begin(), fetched.digests.end(), digest) != fetched.digests.end())
        return std::optional(std::move(fetched));
    }
    CURUPIRA_CHECK(tools.files.remove_file(path));  // damaged: fetched anew
  }
  return std::optional<FetchedArtifact>();
}

/// Offline, what is neither in the store nor a file of this machine is missing: all of it, by name.
Result<> check_all_there(std::span<const registry::Artifact> artifacts,
                         std::span<const std::optional<FetchedArtifact>> found) {
  std::string missing;
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    if (found[i] || std::holds_alternative<std::filesystem::path>(artifacts[i].location)) continue;
    const registry::Artifact& artifact = artifacts[i];
    missing += (missing.empty() ? "" : "\n") + printable(artifact.package) +
               (artifact.version.empty() ? "" : " " + printable(artifact.version)) + " (" +
               printable(artifact.file_name) + ", " + artifact.proof.any_of.front().sri() + ")";
  }
  if (missing.empty()) return {};
  return fail(Error(ErrorCode::offline_missing, missing)
                  .with_help("`curupira plugins sync` on a machine with network brings it"));
}

}  // namespace

Result<std::vector<FetchedArtifact>> fetch(const FetchTools& tools,
                                           std::span<const registry::Artifact> artifacts) {
  if (artifacts.size() > tools.limits.max_artifacts)
    return fail(ErrorCode::artifact_too_large, std::to_string(artifacts.size()) + " artifacts, allowed are " +
                                                   std::to_string(tools.limits.max_artifacts));
  std::vector<std::optional<FetchedArtifact>> found(artifacts.size());
  std::size_t in_store = 0;
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    CURUPIRA_CHECK(check_proof(artifacts[i]));
    CURUPIRA_TRY(found[i], find_in_store(tools, artifacts[i]));
    if (found[i]) ++in_store;
  }
  if (tools.http == nullptr) CURUPIRA_CHECK(check_all_there(artifacts, found));
  tools.observer.fetching(artifacts.size(), in_store);

  struct Pending {
    std::size_t index;
    std::unique_ptr<Intake> intake;
  };
  std::vector<Pending> pending;
  std::vector<HttpTransfer> transfers;
  std::vector<std::uint64_t> received;
  std::uint64_t expected = 0;
  bool size_unknown = false;
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    if (found[i]) continue;
    const registry::Artifact& artifact = artifacts[i];
    CURUPIRA_TRY(auto intake, Intake::create(artifact, tools.limits, &tools.files,
                                             tools.staging / ("artifact-" + std::to_string(i))));
    if (const auto* const path = std::get_if<std::filesystem::path>(&artifact.location)) {
      auto copied = copy_into(*path, intake->sink());
      if (!copied) return fail(with_place(explain(std::move(copied).error(), artifact), artifact));
      CURUPIRA_TRY(found[i], intake->finish(artifact));
      continue;
    }
    expected += artifact.proof.size.value_or(0);
    size_unknown = size_unknown || !artifact.proof.size;
    HttpTransfer transfer{.request = {.url = std::get<Url>(artifact.location),
                                      .credentials = artifact.credentials.get(),
                                      .max_bytes = intake->limit()},
                          .body = &intake->sink()};
    transfers.push_back(std::move(transfer));
    pending.push_back({i, std::move(intake)});
  }
  received.resize(transfers.size());
  for (std::size_t i = 0; i < transfers.size(); ++i)
    transfers[i].on_progress = [&, i](std::uint64_t bytes) {
      received[i] = bytes;
      std::uint64_t sum = 0;
      for (const auto part : received)
        sum += part;
      tools.observer.fetched_bytes(sum, size_unknown ? 0 : expected);
    };
  if (!transfers.empty()) tools.http->perform(transfers);
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const registry::Artifact& artifact = artifacts[pending[i].index];
    if (!transfers[i].outcome)
      return fail(with_place(explain(std::move(transfers[i].outcome).error(), artifact), artifact));
    CURUPIRA_TRY(found[pending[i].index], pending[i].intake->finish(artifact));
  }
  std::vector<FetchedArtifact> result;
  result.reserve(found.size());
  for (auto& artifact : found)
    result.push_back(std::move(*artifact));
  return result;
}

}  // namespace curupira::installer
