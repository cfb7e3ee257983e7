#include "registry/archive_source.h"

#include "base/printable.h"
#include "registry/limits.h"
#include "registry/local_file.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;

/// The user points at the file: what it is now is what it has to be when it is unpacked.
Result<Artifact> local_artifact(const fs::path& file, const std::optional<Digest>& wanted) {
  CURUPIRA_TRY(const LocalFile measured, measure_local_file(file, Limits::max_local_archive_bytes));
  if (wanted && *wanted != measured.sha256) {
    return fail(
        Error(ErrorCode::digest_mismatch, printable(file.string()) + "\nexpected sha256 " + wanted->hex() +
                                              "\nfound    sha256 " + measured.sha256.hex())
            .with_help("the file is another one than its digest was given for; nothing was installed"));
  }
  const std::string name = file.filename().string();
  return Artifact{.package = name,
                  .version = {},
                  .file_name = name,
                  .location = file,
                  .proof = {.any_of = {measured.sha256}, .size = measured.size}};
}

Result<Artifact> remote_artifact(const Url& url, const std::optional<Digest>& digest) {
  if (!digest)
    return fail(ErrorCode::integrity_missing, printable(url.to_string()) + " comes without a digest");
  std::string name = url.file_name();
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      printable(name) != name) {
    name = "archive";
  }
  return Artifact{.package = name,
                  .version = {},
                  .file_name = name,
                  .location = url,
                  .proof = {.any_of = {*digest}, .size = {}}};
}

}  // namespace

Result<Resolution> ArchiveSource::resolve(const Reference& reference, const manifest::Platform&,
                                          Diagnostics&) {
  const auto* archive = std::get_if<ArchiveReference>(&reference);
  if (archive == nullptr) {
    return fail(ErrorCode::internal, "the archive source was asked for " + printable(to_string(reference)));
  }
  const auto* url = std::get_if<Url>(&archive->location);
  auto artifact =
      url ? remote_artifact(*url, archive->sha256)
          : local_artifact((tools_.current_folder / std::get<fs::path>(archive->location)).lexically_normal(),
                           archive->sha256);
  if (!artifact) return fail(std::move(artifact).error());
  Resolution resolution{.reference = anchored(reference, tools_.current_folder),
                        .package = {},
                        .version = {},
                        .artifacts = {},
                        .content = ArchiveContent{.artifact = 0}};
  resolution.artifacts.push_back(*std::move(artifact));
  return resolution;
}

}  // namespace curupira::registry
