#include "registry/artifact_check.h"

#include "base/printable.h"
#include "registry/local_file.h"

namespace curupira::registry {
namespace {

constexpr std::uint64_t any_size = std::uint64_t{1} << 40;

Result<> check_there(const RepositoryFolder& folder, const IndexArtifact& artifact) {
  const std::string shown = "targets/" + printable(artifact.path());
  CURUPIRA_TRY(const auto status, folder.files().status(folder.targets() / artifact.path()));
  if (!status) return fail(ErrorCode::registry_damaged, shown + " is not there");
  if (status->type != FileType::regular)
    return fail(ErrorCode::registry_damaged, shown + " is not a regular file");
  if (status->size != artifact.size)
    return fail(ErrorCode::registry_damaged, shown + " has " + std::to_string(status->size) +
                                                 " bytes, promised are " + std::to_string(artifact.size));
  return {};
}

}  // namespace

Result<> check_artifacts_there(const RepositoryFolder& folder, const PackageIndex& index) {
  for (const auto& [version, release] : index.versions)
    for (const IndexArtifact& artifact : release.artifacts)
      CURUPIRA_CHECK(check_there(folder, artifact));
  return {};
}

Result<> check_artifact(const RepositoryFolder& folder, const IndexArtifact& artifact) {
  CURUPIRA_CHECK(check_there(folder, artifact));
  CURUPIRA_TRY(const LocalFile file, measure_local_file(folder.targets() / artifact.path(), any_size));
  if (file.sha256 == artifact.sha256) return {};
  return fail(ErrorCode::digest_mismatch,
              "targets/" + printable(artifact.path()) + " has the sha256 " + file.sha256.hex());
}

}  // namespace curupira::registry
