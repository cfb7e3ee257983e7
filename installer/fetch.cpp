#include "installer/fetch.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/byte_sink.h"
#include "base/file_copy.h"
#include "base/printable.h"
#include "installer/fetch_intake.h"
#include "installer/partial_downloads.h"
#include "registry/registry_client.h"

namespace curupira::installer {
namespace {

Result<> check_proof(const registry::Artifact& artifact) {
  if (artifact.proof.any_of.empty()) return fail(ErrorCode::integrity_missing, printable(artifact.file_name));
  const auto strong = [](const Digest& digest) { return digest.strong(); };
  if (std::none_of(artifact.proof.any_of.begin(), artifact.proof.any_of.end(), strong))
    return fail(ErrorCode::integrity_weak, printable(artifact.file_name) + ": " +
                                               std::string(name_of(artifact.proof.any_of[0].algorithm())));
  return {};
}

bool is_too_large(const Error& error) {
  return error.code() == ErrorCode::artifact_too_large || error.code() == ErrorCode::response_too_large;
}

/// A limit that is the promised size was passed: then the size is wrong, not the limit.
Error explain(Error error, const registry::Artifact& artifact) {
  if (!is_too_large(error) || !artifact.proof.size) return error;
  return Error(ErrorCode::size_mismatch, printable(artifact.file_name) + ": expected " +
                                             std::to_string(*artifact.proof.size) + " bytes  found more");
}

Error with_place(Error error, const registry::Artifact& artifact) {
  return std::move(error).while_doing("fetching " + printable(artifact.file_name) + " from " +
                                      printable(registry::location_text(artifact)));
}

/// The artifact's blob in the store, if one of its strong digests names one that is whole.
Result<std::optional<FetchedArtifact>> find_in_store(const FetchTools& tools,
                                                     const registry::Artifact& artifact) {
  for (const Digest& digest : artifact.proof.any_of) {
    if (!digest.strong()) continue;
    CURUPIRA_TRY(const bool there, tools.store.has_blob(digest));
    if (!there) continue;
    const auto path = tools.store.blob(digest);
    // The digest says whether it is whole; a size that was promised falsely is no reason to remove it.
    registry::Artifact of_any_size = artifact;
    of_any_size.proof.size.reset();
    FetchIntake intake(of_any_size, tools.limits, path);
    if (copy_into(path, intake.sink())) {
      CURUPIRA_TRY(FetchedArtifact fetched, intake.finish(nullptr));
      fetched.in_store = true;
      fetched.artifact = artifact;
      if (std::find(fetched.digests.begin(), fetched.digests.end(), digest) != fetched.digests.end())
        return std::optional(std::move(fetched));
    }
    CURUPIRA_CHECK(tools.files.remove_file(path));  // damaged: fetched anew
  }
  return std::optional<FetchedArtifact>();
}

bool can_be_had(const registry::Artifact& artifact, bool offline) {
  if (const auto* const path = std::get_if<std::filesystem::path>(&artifact.location))
    return path->is_absolute();
  const auto* const file = std::get_if<registry::RegistryFile>(&artifact.location);
  return file != nullptr ? !file->registry->offline() : !offline;
}

/// Offline, what is neither in the store nor a file of this machine is missing: all of it, by name. So is
/// what was taken to be in the store and is damaged there: it has no address, only a name.
Result<> check_all_there(std::span<const registry::Artifact> artifacts,
                         std::span<const std::optional<FetchedArtifact>> found, bool offline) {
  std::string missing;
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    const registry::Artifact& artifact = artifacts[i];
    if (found[i] || can_be_had(artifact, offline)) continue;
    missing += (missing.empty() ? "" : "\n") + printable(artifact.package) +
               (artifact.version.empty() ? "" : " " + printable(artifact.version)) + " (" +
               printable(artifact.file_name) + ", " + artifact.proof.any_of.front().sri() + ")";
  }
  if (missing.empty()) return {};
  return fail(Error(ErrorCode::offline_missing, missing)
                  .with_help("`curupira plugins sync` on a machine with network brings it"));
}

/// What needs no transfer of ours: a file of this machine, or one of a registry, whose carrier brings it.
Result<> copy_from(const registry::Artifact& artifact, FetchIntake& intake) {
  if (const auto* const path = std::get_if<std::filesystem::path>(&artifact.location))
    return copy_into(*path, intake.sink());
  const auto& file = std::get<registry::RegistryFile>(artifact.location);
  return file.registry->fetch(file.file, intake.sink());
}

/// One of the promised digests is among those that were found.
bool matches(const FetchedArtifact& fetched) {
  return std::ranges::any_of(fetched.artifact.proof.any_of, [&](const Digest& digest) {
    return digest.strong() && std::ranges::find(fetched.digests, digest) != fetched.digests.end();
  });
}

/// The artifacts that come by the network, all at once; twice where the part of an earlier run was wrong.
class Downloads {
 public:
  explicit Downloads(const FetchTools& tools)
      : tools_(tools), partials_(tools.files, partial_folder(tools.store.home())) {}

  void add(const registry::Artifact& artifact, std::optional<FetchedArtifact>& result) {
    wanted_.push_back({&artifact, &result});
  }

  Result<> run() {
    if (wanted_.empty()) return {};
    // The folder was made by this run: its age is now.
    if (const auto staging = tools_.files.status(tools_.staging); staging && *staging)
      partials_.tidy((*staging)->modified);
    CURUPIRA_TRY(const auto again, round(wanted_, true));
    if (!again.empty()) CURUPIRA_CHECK(round(again, false));
    return {};
  }

 private:
  struct Wanted {
    const registry::Artifact* artifact;
    std::optional<FetchedArtifact>* result;
  };

  /// Gives those whose kept part was wrong.
  Result<std::vector<Wanted>> round(const std::vector<Wanted>& wanted, bool may_resume) {
    std::vector<std::unique_ptr<FetchIntake>> intakes;
    std::vector<HttpTransfer> transfers;
    std::vector<std::uint64_t> received(wanted.size());
    std::set<std::string> keys;
    std::uint64_t expected = 0;
    bool size_unknown = false;
    // Two artifacts of one digest must not write into one part.
    PartialDownloads none(tools_.files, {});
    for (const Wanted& each : wanted) {
      const registry::Artifact& artifact = *each.artifact;
      auto intake = std::make_unique<FetchIntake>(
          artifact, tools_.limits, tools_.staging / ("download-" + std::to_string(next_file_++)));
      PartialDownloads& partials = keys.insert(intake->key().sri()).second ? partials_ : none;
      if (!may_resume) partials.remove(intake->key());
      CURUPIRA_TRY(auto resume, intake->open(tools_.files, partials));
      expected += artifact.proof.size.value_or(0);
      size_unknown = size_unknown || !artifact.proof.size;
      HttpTransfer transfer{.request = {.url = std::get<Url>(artifact.location),
                                        .credentials = artifact.credentials.get(),
                                        .max_bytes = intake->limit()},
                            .body = &intake->sink()};
      transfer.request.resume = std::move(resume);
      transfer.on_answer = [taker = intake.get(), &partials](const HttpResponse& response) {
        return taker->note_answer(response, partials);
      };
      transfers.push_back(std::move(transfer));
      intakes.push_back(std::move(intake));
    }
    for (std::size_t i = 0; i < transfers.size(); ++i)
      transfers[i].on_progress = [&, i](std::uint64_t bytes) {
        received[i] = bytes;
        std::uint64_t sum = 0;
        for (const auto part : received)
          sum += part;
        tools_.observer.fetched_bytes(sum, size_unknown ? 0 : expected);
      };
    tools_.http->perform(transfers);
    std::vector<Wanted> again;
    std::optional<Error> first_error;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      FetchIntake& intake = *intakes[i];
      if (!transfers[i].outcome) {
        Error error = std::move(transfers[i].outcome).error();
        const bool useless = is_too_large(error);
        if (useless) intake.drop(partials_);
        if (useless && intake.resumed()) {
          again.push_back(wanted[i]);
        } else if (!first_error) {
          first_error = with_place(explain(std::move(error), intake.artifact()), intake.artifact());
        }
        continue;
      }
      CURUPIRA_TRY(FetchedArtifact fetched, intake.finish(&partials_));
      if (intake.resumed() && !matches(fetched)) {
        again.push_back(wanted[i]);
      } else {
        *wanted[i].result = std::move(fetched);
      }
    }
    if (first_error) return fail(*std::move(first_error));
    return again;
  }

  const FetchTools& tools_;
  PartialDownloads partials_;
  std::vector<Wanted> wanted_;
  std::size_t next_file_ = 0;
};

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
  CURUPIRA_CHECK(check_all_there(artifacts, found, tools.http == nullptr));
  tools.observer.fetching(artifacts.size(), in_store);

  Downloads downloads(tools);
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    if (found[i]) continue;
    const registry::Artifact& artifact = artifacts[i];
    if (std::holds_alternative<Url>(artifact.location)) {
      downloads.add(artifact, found[i]);
      continue;
    }
    FetchIntake intake(artifact, tools.limits, tools.staging / ("artifact-" + std::to_string(i)));
    CURUPIRA_CHECK(intake.open(tools.files));
    auto copied = copy_from(artifact, intake);
    if (!copied) return fail(with_place(explain(std::move(copied).error(), artifact), artifact));
    CURUPIRA_TRY(found[i], intake.finish(nullptr));
  }
  CURUPIRA_CHECK(downloads.run());
  std::vector<FetchedArtifact> result;
  result.reserve(found.size());
  for (auto& artifact : found)
    result.push_back(std::move(*artifact));
  return result;
}

}  // namespace curupira::installer
