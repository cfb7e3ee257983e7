#include "registry/registry_source.h"

#include "base/printable.h"
#include "registry/registry_clients.h"
#include "registry/registry_release.h"

namespace curupira::registry {

// The artifacts are those of all platforms: which of them are needed, the manifest says.
Result<Resolution> RegistrySource::resolve(const Reference& reference, const manifest::Platform&,
                                           Diagnostics& diagnostics) {
  const auto* const wanted = std::get_if<RegistryReference>(&reference);
  if (wanted == nullptr || tools_.registry_clients == nullptr)
    return fail(ErrorCode::internal, "the registries were asked for " + printable(to_string(reference)));
  CURUPIRA_TRY(const auto client, tools_.registry_clients->open(wanted->registry));
  CURUPIRA_TRY(const PackageRecord record, client->find(wanted->package));
  CURUPIRA_TRY(const std::string version, choose_release(record.index, *wanted, tools_, diagnostics));
  const PackageVersion& release = *record.index.find(version);
  CURUPIRA_TRY(auto vouching, vouching_of(tools_, client->name(), record, version));
  Resolution resolution{
      .reference = reference,
      .package = wanted->package.text(),
      .version = version,
      .artifacts = {},
      .content = ReleaseContent{.manifest = digest_of(DigestAlgorithm::sha256, release.manifest)}};
  for (const IndexArtifact& file : release.artifacts)
    resolution.artifacts.push_back(
        {.package = artifact_package(wanted->package, file.file, &file == release.artifacts.data()),
         .version = version,
         .file_name = file.file,
         .location = RegistryFile{client, file},
         .proof = {.any_of = {file.sha256}, .size = file.size, .vouched = vouching}});
  return resolution;
}

}  // namespace curupira::registry
